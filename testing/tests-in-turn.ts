import { turnOfTests } from './seeded-random.ts';

/** So many days go by until every one of them has run. */
export const turnsInAll = 3;

/**
 * Files of tests and journeys that take ten seconds and more, the longest first: `npm test` runs a third of them, another one every day, and
 * `npm test -- --whole` all. What keeps a row of
 * docs/conformance.md or guards who sees what, and what kills the archive at work, is none of them: it always runs.
 */
export const testsInTurn = [
  'ingest/work-on-videos.test.ts',
  'ingest/kept-pieces.test.ts',
  'commands/import.test.ts',
  'ingest/media/media-verdicts.test.ts',
  'ingest/tools/draw-stretch.test.ts',
  'ingest/steps/frames.test.ts',
  'ingest/steps/speech.test.ts',
  'ingest/footage/shared-footage.test.ts',
  'ingest/run-steps.test.ts',
  'ingest/tools/node-av-tools.test.ts',
  'domain/archive/open-archive.test.ts',
  'commands/backup.test.ts',
  'domain/search-index/follow-index.test.ts',
  'domain/backup/restore-archive.test.ts',
  'ingest/steps/picture-subtitles.test.ts',
  'domain/backup/back-up-archive.test.ts',
  'ingest/follow-films.test.ts',
  'commands/upgrade-check.test.ts',
  'bench/scale.test.ts',
  'ingest/replaced-film.test.ts',
  'ingest/steps/captions.test.ts',
  'ingest/store-away.test.ts',
  'ingest/word-times.test.ts',
  'domain/search-index/damaged-copy.test.ts',
  'commands/doctor.test.ts',
  'commands/admin.test.ts',
  'commands/worker.test.ts',
  'domain/files/s3/s3-store.test.ts',
  'bench/search-cost.test.ts',
  'domain/jobs/job-queue.test.ts',
  'domain/files/store.test.ts',
  'domain/search-index/check/check-index.test.ts',
  'domain/backup/backup-in-bucket.test.ts',
  'domain/search-index/index-follower.test.ts',
  'bench/understanding.test.ts',
  'domain/search-index/search-index.test.ts',
  'ingest/footage/watch-folder.test.ts',
  'commands/adopt.test.ts',
  'domain/search-index/index-writer.test.ts',
  'commands/retry.test.ts',
  'ingest/footage/find-footage-files.test.ts',
  'ingest/steps/name-what-is-said.test.ts',
  'ingest/steps/voice.test.ts',
  'ingest/steps/stills.test.ts',
  'e2e/name-people.e2e.ts',
  'e2e/desk-films.e2e.ts',
  'e2e/add-videos.e2e.ts',
  'e2e/correct-title.e2e.ts',
  'e2e/watch-keys.e2e.ts',
  'e2e/desk.e2e.ts',
  'e2e/edit-lines.e2e.ts',
  'e2e/admin-status.e2e.ts',
  'e2e/search-waits.e2e.ts',
  'e2e/admin-engines.e2e.ts',
  'e2e/real-footage.e2e.ts',
  'e2e/rough-speech.e2e.ts',
  'e2e/search-keys.e2e.ts',
  'e2e/large-text.e2e.ts',
  'e2e/search-help.e2e.ts',
];

/** Those of them that this run leaves out: none, unless `npm test` asks for a share (`RUSHES_TEST_LONG=share`). */
export function testsLeftOut(turn = turnOfTests): string[] {
  if (process.env.RUSHES_TEST_LONG !== 'share') return [];
  return testsInTurn.filter((_, place) => place % turnsInAll !== turn % turnsInAll);
}
