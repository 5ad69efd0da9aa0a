import type { ArchiveStatus, OutsideLook } from '#contract/status.ts';
import { readBackupState } from '#domain/backup/backup-state.ts';
import { readLastBackup } from '#domain/backup/last-backup.ts';
import { listProcesses, programVersion } from '#domain/status/processes.ts';
import { measureOriginals, readDatabase, readIndexStanding, readQueues } from '#domain/status/standing.ts';
import { countWaiting } from '#domain/users/users.ts';
import { countFailed } from '#domain/videos/counts.ts';
import { listEngines } from '#domain/videos/engines.ts';
import type { Context } from '../context.ts';
import { findWarnings } from './warnings.ts';

/** How the archive stands at this moment, with what an operator should know of it. */
export async function readStatus({ pool, config, folder, mail }: Context, outside: OutsideLook | null): Promise<ArchiveStatus> {
  const isPublic = !config.practice;
  const [processes, queues, index, database, originals] = await Promise.all([
    listProcesses(pool),
    readQueues(pool),
    readIndexStanding(pool),
    readDatabase(pool),
    measureOriginals(pool),
  ]);
  const [backup, last, engines, failedFilms, waitingPeople] = await Promise.all([
    readBackupState(pool, { isPublic }),
    readLastBackup(pool),
    listEngines(pool),
    countFailed(pool),
    countWaiting(pool),
  ]);
  const facts = {
    at: new Date().toISOString(),
    version: programVersion,
    processes,
    queues,
    store: { place: folder.root, ...originals, reserveBytes: config.diskReserveBytes },
    index,
    database,
    backup: { ...backup, folder: last?.folder ?? null },
    engines,
    outside,
  };
  return {
    ...facts,
    warnings: findWarnings({ ...facts, failedFilms, waitingPeople, lacksMail: isPublic && mail === null, hasFilms: config.azure === null }),
  };
}
