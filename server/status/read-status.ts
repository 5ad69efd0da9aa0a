/*
 * The status page: warnings says what an operator should do, metrics writes the same for other programs, look-outside asks the archive by its public address.
 */
import { serverLimits } from '#contract/limits.ts';
import type { ArchiveStatus, OutsideLook } from '#contract/status.ts';
import { readBackupState } from '#domain/backup/backup-state.ts';
import { readLastBackup, readLastChecks } from '#domain/backup/last-backup.ts';
import { placeOfStore } from '#domain/files/open-archive-files.ts';
import { countUnreadOriginals, listOriginalFaults } from '#domain/footage/check-originals.ts';
import { measureOriginals } from '#domain/footage/originals-quota.ts';
import { findAdminAddresses } from '#domain/status/notices.ts';
import { listProcesses, programVersion } from '#domain/status/processes.ts';
import { lookAtStore, readDatabase, readIndexStanding, readQueues } from '#domain/status/standing.ts';
import { countWaiting } from '#domain/users/users.ts';
import { countFailed, countFailedSteps } from '#domain/videos/counts.ts';
import { findEngines } from '#domain/videos/engines.ts';
import type { Context } from '../context.ts';
import { findWarnings, storeAway } from './warnings.ts';

/** How the archive stands at this moment, with what an operator should know of it. */
export async function readStatus({ pool, config, store, mail }: Context, outside: OutsideLook | null): Promise<ArchiveStatus> {
  const isPublic = !config.practice;
  const hasFilms = config.azure === null;
  const [processes, queues, index, database, originals, storeFault] = await Promise.all([
    listProcesses(pool),
    readQueues(pool),
    hasFilms ? readIndexStanding(pool) : null,
    readDatabase(pool),
    measureOriginals(pool),
    hasFilms ? lookAtStore(store, serverLimits.storeAnswersPageWithinMs) : null,
  ]);
  const [backup, last, backupChecks, admins, engines, failedFilms, failedSteps, waitingPeople, badOriginals, unreadOriginals] =
    await Promise.all([
      readBackupState(pool, { isPublic }),
      readLastBackup(pool),
      readLastChecks(pool),
      findAdminAddresses(pool),
      findEngines(pool),
      countFailed(pool),
      countFailedSteps(pool),
      countWaiting(pool),
      listOriginalFaults(pool),
      countUnreadOriginals(pool),
    ]);
  const facts = {
    at: new Date().toISOString(),
    version: programVersion,
    processes,
    queues,
    store: {
      place: placeOfStore(config),
      ...originals,
      reserveBytes: config.diskReserveBytes,
      originalsMaxBytes: config.quota.archiveMaxBytes ?? null,
    },
    index,
    database,
    backup: { ...backup, folder: last?.folder ?? null },
    engines,
    outside,
  };
  return {
    ...facts,
    warnings: findWarnings({
      ...facts,
      failedFilms,
      failedSteps,
      waitingPeople,
      badOriginals,
      unreadOriginals,
      storeWarning: storeFault === null ? null : storeAway(storeFault, config),
      lacksMail: isPublic && mail === null,
      lacksReachableAdmin: isPublic && mail !== null && config.mail.tellsOfSignUps && admins.length === 0,
      backupChecks,
      hasFilms,
    }),
  };
}
