import { backupLateAfterHours } from '#contract/archive.ts';
import { serverLimits } from '#contract/limits.ts';
import type { ArchiveStatus, Warning } from '#contract/status.ts';
import { StepOfVideo } from '#contract/steps.ts';
import { wordsOfStep } from '#contract/words-of-step.ts';
import type { LastCheck } from '#domain/backup/last-backup.ts';
import { type ArchivePlaces, placeOfStore } from '#domain/files/open-archive-files.ts';
import { type OriginalFault, originalLateAfterDays } from '#domain/footage/check-originals.ts';
import type { FilmsByStep } from '#domain/videos/counts.ts';
import { warnOfOutside } from './look-outside.ts';

type Facts = Omit<ArchiveStatus, 'warnings'> & {
  /** Set where the store of media cannot be used. */
  readonly storeWarning: Warning | null;
  readonly failedFilms: number;
  /** Films that play, by the steps that came to nothing with them. */
  readonly failedSteps: readonly FilmsByStep[];
  readonly waitingPeople: number;
  /** Originals that were read anew and are not what was taken in. */
  readonly badOriginals: readonly OriginalFault[];
  /** Originals whose reading is long overdue. */
  readonly unreadOriginals: number;
  /** Whether e-mails of sign-ups would go to nobody. */
  readonly lacksReachableAdmin: boolean;
  /** How the last check of each folder of backups went. */
  readonly backupChecks: readonly LastCheck[];
  /** Whether e-mail can be sent, where somebody outside would need it. */
  readonly lacksMail: boolean;
  /** Whether films lie in this archive, for processes of its own to work on. */
  readonly hasFilms: boolean;
};

const stepClasses = StepOfVideo.shape.class.options;
const hourMs = 60 * 60 * 1_000;
const late = { playableMs: 2 * hourMs, indexMs: 10 * 60 * 1_000 };
const clockMayDifferMs = 5_000;
const lagMayBeSeconds = 60;
const fullShare = 0.05;
const quotaNearShare = 0.9;

/** What an operator should know, the worst first: each in a sentence, with what to do. */
export function findWarnings(facts: Facts): Warning[] {
  const found = [
    ...warnOfWorkers(facts),
    ...warnOfProcesses(facts),
    ...warnOfDisks(facts),
    ...(facts.storeWarning ? [facts.storeWarning] : []),
    ...warnOfQuota(facts),
    ...warnOfDatabase(facts),
    ...warnOfLastBackup(facts),
    ...facts.backupChecks.flatMap(warnOfBackupCheck),
    ...warnOfQueues(facts),
    ...warnOfIndex(facts),
    ...(facts.outside ? warnOfOutside(facts.outside, Date.parse(facts.at)) : []),
    ...warnOfOriginals(facts),
    ...warnOfPeopleAndFilms(facts),
  ];
  return [...found.filter(({ is }) => is === 'bad'), ...found.filter(({ is }) => is === 'hint')];
}

/** That the store of media cannot be used, for this reason. */
export function storeAway(reason: string, places: ArchivePlaces): Warning {
  const place = placeOfStore(places);
  const says = `The media store cannot be reached, so videos do not play and nothing can be added: ${reason}.`;
  const whatToDo = places.s3
    ? `Check that ${place} answers this machine, and that bucket, region and keys (RUSHES_S3_…) are right.`
    : `Check that ${place} and its contents can be read, and that its disk is mounted.`;
  return { about: 'store', is: 'bad', says, whatToDo };
}

/** That nothing can be asked of the database, for this reason. */
export function makeDatabaseWarning(reason: string): Warning {
  const says = `The database does not answer, so nobody can search, watch or sign in: ${reason}.`;
  const whatToDo =
    'Start it or repair the connection; npm run doctor shows what is wrong. The archive resumes automatically once the database answers.';
  return { about: 'database', is: 'bad', says, whatToDo };
}

function warnOfWorkers({ processes, queues, hasFilms }: Facts): Warning[] {
  const workers = processes.filter(({ isAlive, does }) => isAlive && does === 'ingest');
  const whatToDo = 'Start one with npm start, or with RUSHES_ROLES=ingest on any machine of the archive, and read its output.';
  if (!hasFilms) return [];
  if (workers.length === 0) return [{ about: 'no-ingest', is: 'bad', says: 'No worker is running: new videos wait.', whatToDo }];
  return stepClasses.flatMap((one): Warning[] => {
    const waiting = queues.find(({ name }) => name === one)?.waiting ?? 0;
    if (waiting === 0 || workers.some(({ classes = stepClasses }) => classes.includes(one))) return [];
    const says = `No worker that is running ${one === 'playable' ? 'makes videos playable' : 'understands videos'}: ${wordVideos(waiting)} waiting.`;
    const otherwise = `Set RUSHES_INGEST=both on a worker and restart it, or start another one with RUSHES_INGEST=${one}.`;
    return [{ about: `no-${one}`, is: 'bad', says, whatToDo: otherwise }];
  });
}

function warnOfProcesses({ processes, version }: Facts): Warning[] {
  const warnings: Warning[] = [];
  const living = processes.filter(({ isAlive }) => isAlive);
  for (const { id, machine, pid, does } of processes.filter(({ isAlive }) => !isAlive)) {
    const says = `${does === 'web' ? 'A web process' : 'A worker'} (${pid} on ${machine}) has stopped reporting.`;
    const whatToDo =
      'Read the end of its log, and check that its machine is up and reaches the database. It stays in this list for 12 hours.';
    warnings.push({ about: `gone-${id}`, is: 'hint', says, whatToDo });
  }
  const others = [...new Set(living.map((one) => one.version))].filter((one) => one !== version);
  if (others.length > 0) {
    const says = `Several versions are running: ${[version, ...others].join(', ')}.`;
    warnings.push({ about: 'versions', is: 'hint', says, whatToDo: 'Update all machines to the same version.' });
  }
  for (const { machine, clockAheadMs } of living.filter((one) => Math.abs(one.clockAheadMs) > clockMayDifferMs)) {
    const says = `The clock of ${machine} is ${toSeconds(clockAheadMs)} off the database’s: sign-in and sessions end too early or too late.`;
    warnings.push({ about: `clock-${machine}`, is: 'bad', says, whatToDo: 'Synchronise both clocks with NTP (timedatectl set-ntp true).' });
  }
  return warnings;
}

function warnOfDisks({ processes, store }: Facts): Warning[] {
  const machines = new Map(processes.filter(({ isAlive }) => isAlive).map(({ machine, disk }) => [machine, disk]));
  return [...machines].flatMap(([machine, disk]): Warning[] => {
    if (!disk) return [];
    const free = `${toGigabytes(disk.freeBytes)} of ${toGigabytes(disk.totalBytes)} free`;
    const whatToDo =
      'Free some space, or move the data folder, or its media alone, to a larger disk. npm run trash -- purge deletes what has been in the trash for 30 days, or 36 with DATABASE_URL.';
    if (disk.freeBytes < store.reserveBytes)
      return [{ about: `disk-${machine}`, is: 'bad', says: `The disk of ${machine} is full (${free}): nothing can be added.`, whatToDo }];
    if (disk.freeBytes < Math.max(4 * store.reserveBytes, fullShare * disk.totalBytes))
      return [{ about: `disk-${machine}`, is: 'hint', says: `The disk of ${machine} is nearly full: ${free}.`, whatToDo }];
    return [];
  });
}

function warnOfQuota({ store: { originalsBytes, originalsMaxBytes } }: Facts): Warning[] {
  if (originalsMaxBytes === null || originalsBytes < quotaNearShare * originalsMaxBytes) return [];
  const isFull = originalsBytes >= originalsMaxBytes;
  const kept = `${toGigabytes(originalsBytes)} of ${toGigabytes(originalsMaxBytes)}`;
  const says = isFull ? `Originals have reached their quota (${kept}): nothing can be added.` : `Originals are near their quota: ${kept}.`;
  const whatToDo = 'Raise RUSHES_STORE_MAX_GB if the store has room, or delete videos and erase them under Desk, Deleted.';
  return [{ about: 'quota', is: isFull ? 'bad' : 'hint', says, whatToDo }];
}

function warnOfDatabase({ database }: Facts): Warning[] {
  const { role, connections, connectionsMax, lagSeconds, standbys } = database;
  const warnings: Warning[] = [];
  if (role === 'standby') {
    const behind = lagSeconds === null ? '' : `, ${Math.round(lagSeconds)} s behind`;
    const whatToDo = 'Promote it, or set DATABASE_URL to the primary.';
    warnings.push({ about: 'standby', is: 'bad', says: `The database is a standby${behind}: nothing can be changed.`, whatToDo });
  }
  if (connections > 0.85 * connectionsMax) {
    const whatToDo = 'Raise max_connections, put PgBouncer in front, or stop other programs that use this server.';
    const says = `${connections} of ${connectionsMax} connections of the database are in use.`;
    warnings.push({ about: 'connections', is: 'bad', says, whatToDo });
  }
  for (const standby of standbys.filter((one) => (one.lagSeconds ?? 0) > lagMayBeSeconds)) {
    const says = `The standby ${standby.name} is ${Math.round(standby.lagSeconds ?? 0)} s behind.`;
    const whatToDo = 'Check its disk, network and log: changes it has not received are lost if the primary fails.';
    warnings.push({ about: `standby-${standby.name}`, is: 'hint', says, whatToDo });
  }
  return warnings;
}

function warnOfBackupCheck({ folder, ok, message, damage }: LastCheck): Warning[] {
  if (damage !== null) {
    const says = `A check of the backups in ${folder} found damage: ${damage.replace(/\.$/, '')}.`;
    const whatToDo = 'Remove the damaged files, run a new backup, and check it again with --check.';
    return [{ about: `backup-check-${folder}`, is: 'bad', says, whatToDo }];
  }
  if (ok) return [];
  const says = `The backups in ${folder} could not be checked: ${message.replace(/\.$/, '')}.`;
  const whatToDo = 'Remove nothing. See that the folder can be reached, and check it again with --check.';
  return [{ about: `backup-unchecked-${folder}`, is: 'hint', says, whatToDo }];
}

function warnOfLastBackup({ backup }: Facts): Warning[] {
  const whatToDo = 'Run npm run backup -- FOLDER on another disk every night, and --check every week.';
  const backupIsBad = (says: string, todo = whatToDo): Warning[] => [{ about: 'backup', is: 'bad', says, whatToDo: todo }];
  switch (backup.is) {
    case 'failed':
      return backupIsBad(`The last backup failed. ${backup.message}`, 'Fix the cause and run it again.');
    case 'late':
      return backupIsBad(`The last good backup is more than ${backupLateAfterHours} hours old.`);
    case 'never':
      return backupIsBad('This archive has never been backed up: if its disk fails, everything is lost.');
    default:
      return [];
  }
}

function warnOfQueues({ queues, at }: Facts): Warning[] {
  const waits = (name: string) => queues.find((queue) => queue.name === name);
  const since = (oldestAt: string | null | undefined) => (oldestAt ? Date.parse(at) - Date.parse(oldestAt) : 0);
  const playable = waits('playable');
  const index = waits('index');
  const warnings: Warning[] = [];
  if (playable && since(playable.oldestAt) > late.playableMs) {
    const says = `A video has waited ${toHours(since(playable.oldestAt))} to become playable; ${playable.waiting} are waiting in all.`;
    const whatToDo = 'See on the desk what is in progress. Add machines with RUSHES_ROLES=ingest to share the work.';
    warnings.push({ about: 'queue', is: 'hint', says, whatToDo });
  }
  if (index && index.waiting > 0 && since(index.oldestAt) > late.indexMs) {
    const says = `Search is out of date for ${wordVideos(index.waiting)}: the index has not caught up for ${toHours(since(index.oldestAt))}.`;
    const whatToDo = 'Read the log of the ingest process; npm run check:index compares the index with the database.';
    warnings.push({ about: 'index-late', is: 'bad', says, whatToDo });
  }
  return warnings;
}

function warnOfIndex({ index, processes }: Facts): Warning[] {
  if (index?.is !== 'ready') return [];
  const behind = processes.filter(({ isAlive, indexBatch }) => isAlive && indexBatch !== null && indexBatch < index.batch - 20);
  if (behind.length === 0) return [];
  const says = `Searches on ${[...new Set(behind.map(({ machine }) => machine))].join(', ')} read an older index.`;
  const whatToDo = 'They normally catch up on their own. If not, read their logs and check their disks.';
  return [{ about: 'followers', is: 'hint', says, whatToDo }];
}

function warnOfOriginals({ badOriginals, unreadOriginals }: Facts): Warning[] {
  const warnings: Warning[] = [];
  if (badOriginals.length > 0) {
    const named = badOriginals
      .slice(0, serverLimits.filmsPerWarningMax)
      .map(({ name, fault }) => `“${name}” ${fault === 'missing' ? 'is missing' : 'has changed'}`);
    const more =
      badOriginals.length > serverLimits.filmsPerWarningMax
        ? `, and ${wordVideos(badOriginals.length - serverLimits.filmsPerWarningMax)} more`
        : '';
    const says = `Originals have changed or are missing: ${named.join(', ')}${more}.`;
    const whatToDo = 'Restore them from a backup, or replace the file on the video’s page. They are checked again within a day.';
    warnings.push({ about: 'originals', is: 'bad', count: badOriginals.length, says, whatToDo });
  }
  if (unreadOriginals > 0) {
    const says = `The originals of ${wordVideos(unreadOriginals)} have not been read for ${originalLateAfterDays} days: damage would go unnoticed.`;
    const whatToDo = 'Leave a worker running day and night; if one does, its disk or store is too slow to read everything in 90 days.';
    warnings.push({ about: 'unread-originals', is: 'hint', says, whatToDo });
  }
  return warnings;
}

function warnOfPeopleAndFilms({ failedFilms, failedSteps, waitingPeople, lacksMail, lacksReachableAdmin }: Facts): Warning[] {
  const warnings: Warning[] = [];
  if (failedFilms > 0) {
    const says = `${wordVideos(failedFilms)} could not be made playable.`;
    const whatToDo = 'See why under Admin, Videos, and try them again.';
    warnings.push({ about: 'failed-films', is: 'bad', count: failedFilms, says, whatToDo });
  }
  if (failedSteps.length > 0) {
    const named = failedSteps.map(({ step, films }) => `${wordsOfStep(step)} (${wordVideos(films)})`);
    const says = `Steps failed on videos that play: ${named.join(', ')}.`;
    const whatToDo =
      'See why on the desk under Add videos, where these come first, and run them again there; Admin, Engines runs an engine’s step on all of them.';
    warnings.push({ about: 'failed-steps', is: 'hint', says, whatToDo });
  }
  if (waitingPeople > 0) {
    const says = `${waitingPeople === 1 ? '1 person is' : `${waitingPeople} people are`} waiting for activation.`;
    warnings.push({ about: 'waiting-people', is: 'hint', says, whatToDo: 'Turn on Watch under Admin, Users, for those you know.' });
  }
  if (lacksMail) {
    const says = 'E-mail is not set up: nobody can sign in by e-mail, and nobody is told when their account is activated.';
    warnings.push({ about: 'mail', is: 'hint', says, whatToDo: 'Set SMTP_URL.' });
  }
  if (lacksReachableAdmin) {
    const says = 'Nobody is told by e-mail when somebody signs up: no administrator has a confirmed address.';
    const whatToDo = 'Have an administrator sign in with a provider that confirms their address, or appoint one who signs in by e-mail.';
    warnings.push({ about: 'unreachable-admins', is: 'hint', says, whatToDo });
  }
  return warnings;
}

function wordVideos(count: number): string {
  return count === 1 ? '1 video' : `${count.toLocaleString('en')} videos`;
}

function toSeconds(ms: number): string {
  return `${Math.abs(Math.round(ms / 1_000))} s`;
}

function toHours(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

function toGigabytes(bytes: number): string {
  return `${(bytes / 1e9).toLocaleString('en', { maximumFractionDigits: bytes < 1e10 ? 1 : 0 })} GB`;
}
