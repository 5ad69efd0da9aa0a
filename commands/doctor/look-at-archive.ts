import { existsSync } from 'node:fs';
import { serverLimits } from '#contract/limits.ts';
import { compareSides } from '#domain/archive/compare-sides.ts';
import { nameSides } from '#domain/archive/open-archive.ts';
import { refusalOfSides } from '#domain/archive/refusal-of-sides.ts';
import { readBackupState } from '#domain/backup/backup-state.ts';
import type { Pool } from '#domain/db/database.ts';
import { planUpgrade } from '#domain/db/migrate.ts';
import { hasDatabase, openDatabase } from '#domain/db/open-database.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { listProcesses, readClockAhead } from '#domain/status/processes.ts';
import { lookAtDatabase, lookAtStore, sharesSessions } from '#domain/status/standing.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { findSealedState, readSealedSecrets } from '#domain/tokens/sealed-secrets.ts';
import { storeAway } from '#server/status/warnings.ts';
import { type Finding, makeFault, makeHint } from './finding.ts';
import type { Settings } from './look-at-settings.ts';

/** The store of media, the database, and what it knows of the archive; nothing is changed in them. `now` is the clock of this machine. */
export async function lookAtArchive({ config }: Settings, now: () => number): Promise<Finding[]> {
  const { dataFolder, databaseUrl, s3 } = config;
  const reason = await lookAtStore(openArchiveFiles(dataFolder, s3).store, serverLimits.storeAnswersDoctorWithinMs);
  const away = reason === null ? [] : [storeAway(reason, config)].map(({ about, says, whatToDo }) => makeFault(about, says, whatToDo));
  const unusable = databaseUrl === undefined ? [] : await lookAtOwnServer('DATABASE_URL', databaseUrl);
  if (unusable.length > 0) return [...away, ...unusable];
  // Before the first start there is nothing to look at, and looking would make it.
  if (!hasDatabase(config)) return away;
  const ways = await lookAtWays(config);
  if (!existsSync(dataFolder)) return [...away, ...ways];
  return [...away, ...ways, ...(await lookInDatabase(config, { now, isStoreAway: away.length > 0 }))];
}

interface Look {
  readonly now: () => number;
  /** What lies in it is not asked for then. */
  readonly isStoreAway: boolean;
}

async function lookInDatabase(config: Settings['config'], look: Look): Promise<Finding[]> {
  try {
    const database = await openDatabase({ ...config, migrates: false });
    try {
      return await lookInto(database.pool, config, look);
    } finally {
      await database.close();
    }
  } catch (error) {
    return [makeFault('database', errorMessageOf(error), 'Until then the archive does not start.')];
  }
}

/** Whether what belongs to a session, such as listening and locks, has a way to the database. */
async function lookAtWays({ databaseUrl, databaseDirectUrl }: Settings['config']): Promise<Finding[]> {
  if (databaseUrl === undefined) return [];
  const [name, url] =
    databaseDirectUrl === undefined ? (['DATABASE_URL', databaseUrl] as const) : (['DATABASE_DIRECT_URL', databaseDirectUrl] as const);
  const unusable = databaseDirectUrl === undefined ? [] : await lookAtOwnServer(name, url);
  if (unusable.length > 0 || !(await sharesSessions(url))) return unusable;
  const says = `${name} leads to a connection pooler in transaction mode, which loses notifications, locks and jobs.`;
  return [makeFault('pooler', says, 'Set DATABASE_DIRECT_URL to the address of the database itself, past the pooler.')];
}

async function lookAtOwnServer(name: 'DATABASE_URL' | 'DATABASE_DIRECT_URL', databaseUrl: string): Promise<Finding[]> {
  const look = await lookAtDatabase(databaseUrl);
  const about = name === 'DATABASE_URL' ? 'database' : 'direct database';
  switch (look.is) {
    case 'usable':
      return [];
    case 'away':
      return [
        makeFault(
          about,
          `${name}: no database answers there (${look.reason}).`,
          'Start it, or correct host and port; a firewall may be in the way.',
        ),
      ];
    case 'refusing':
      return [
        makeFault(
          about,
          `${name}: the database refuses the connection (${look.reason}).`,
          'Correct user and password, or add this machine to its pg_hba.conf.',
        ),
      ];
    case 'without database':
      return [makeFault(about, `${name}: ${look.reason}.`, 'Create it: createdb -O USER NAME.')];
    case 'too old':
      return [
        makeFault(
          `${about} version`,
          `${name} names a PostgreSQL ${look.version}.`,
          'It must be 15 or newer: upgrade it, or leave DATABASE_URL out and take the archive’s own.',
        ),
      ];
    case 'standby':
      return [makeFault(about, `${name} names a standby, which cannot be changed.`, 'Name the primary.')];
    case 'without rights':
      return [
        makeFault(
          `${about} rights`,
          `${name}: the role ${look.role} ${look.lacks}.`,
          `Make it the owner: alter database NAME owner to ${look.role}; reassign what another role made.`,
        ),
      ];
  }
}

/** Whether the key of this machine opens the secrets that lie in the database. Nothing is brought there by looking. */
async function lookAtSealedSecrets(pool: Pool, { secretsKey, roles }: Settings['config']): Promise<Finding[]> {
  // One that only ingests signs nothing.
  if (roles === 'ingest' || (await findSealedState(pool)) !== 'sealed') return [];
  const whatToDo = 'It must be the same on every machine that serves pages.';
  const says = 'The secrets of this archive lie in its database, and RUSHES_SECRETS_KEY is not set.';
  if (!secretsKey) return [makeFault('secrets', says, 'Set it; where it is lost, set a new one and run npm run secrets -- replace.')];
  return await readSealedSecrets(pool, secretsKey).then(
    () => [],
    (error: unknown) => [makeFault('secrets', errorMessageOf(error), whatToDo)],
  );
}

const clockMayDifferMs = 5_000;

async function lookInto(pool: Pool, config: Settings['config'], look: Look): Promise<Finding[]> {
  const findings: Finding[] = [];
  const aheadMs = (await readClockAhead(pool, look.now)) ?? 0;
  if (Math.abs(aheadMs) > clockMayDifferMs) {
    const says = `The clock of this machine is ${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database’s: sessions and sign-ins end too early or too late.`;
    findings.push(makeFault('clock', says, 'Synchronise both with NTP: timedatectl set-ntp true.'));
  }
  const { unknown, due } = await planUpgrade(pool);
  if (unknown.length > 0) {
    const whatToDo = 'Start the newer version again, or restore a backup that was made before.';
    return [...findings, makeFault('version', 'A newer version of Rushes has already opened this archive.', whatToDo)];
  }
  if (due.length > 0) {
    const says = `${due.length} database migrations will run at the next start, from ${due[0]?.name} on.`;
    return [...findings, makeHint('migrations', says, 'npm run upgrade-check says what they change. Make a backup first.')];
  }
  return [...findings, ...(await lookAtState(pool, config, look))];
}

async function lookAtState(pool: Pool, config: Settings['config'], { isStoreAway }: Look): Promise<Finding[]> {
  const { practice, dataFolder, s3 } = config;
  const findings: Finding[] = [];
  const refusal = isStoreAway ? undefined : refusalOfSides(await compareSides(pool, openArchiveFiles(dataFolder, s3)), nameSides(config));
  if (refusal !== undefined) findings.push(makeFault('wrong pair', refusal, 'npm run adopt lists the differences.'));
  findings.push(...(await lookAtSealedSecrets(pool, config)));
  const { is, lastGoodAt, message } = await readBackupState(pool, { isPublic: !practice });
  const nightly = 'Run npm run backup -- FOLDER on another disk every night.';
  if (is === 'late') findings.push(makeFault('backup', `The last good backup is of ${lastGoodAt}: more than 48 hours old.`, nightly));
  if (is === 'failed') findings.push(makeFault('backup', `The last backup failed: ${message}`, 'Fix the cause and run it again.'));
  if (is === 'never') findings.push(makeFault('backup', 'This archive has never been backed up.', nightly));
  const living = (await listProcesses(pool)).filter(({ isAlive, does }) => isAlive && does === 'web');
  const places = living.map(({ machine, folder }) => `${folder} on ${machine}`);
  const twice = places.find((place, n) => places.indexOf(place) !== n);
  if (twice !== undefined) {
    const pids = living.filter(({ machine, folder }) => `${folder} on ${machine}` === twice).map(({ pid }) => pid);
    const says = `Two servers run on one data folder (${twice}, processes ${pids.join(' and ')}): their uploads and index conflict.`;
    findings.push(makeFault('two servers', says, 'Stop one of them; every machine needs a data folder of its own.'));
  }
  return findings;
}
