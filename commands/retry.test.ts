import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileStore } from '#domain/files/store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { findFootage } from '#domain/videos/footage.ts';
import { importFile } from '#ingest/footage/import-file.ts';
import { StepFailure } from '#ingest/step-failure.ts';
import type { MediaTools } from '#ingest/tools/media-tools.ts';
import { runCommand } from '#testing/run-command.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';

const sample = join(import.meta.dirname, '..', 'samples', 'Harbour at dusk.mp4');
let archive: TestIngest;
let isBroken = true;
/** What a film that was refused is not taken away before. */
let removalWaitsFor: Promise<void> | undefined;
beforeAll(async () => {
  archive = await openTestIngest(undefined, { tools: withRenditionsThatFail, store: withRemovalThatWaits });
});
afterAll(() => archive.close());

test('a film whose tools fail three times keeps its original and the reason, and is done when it is tried again', {
  timeout: 120_000,
}, async () => {
  const { store, pool } = archive.context;
  const failed = await archive.ingest(sample);
  expect(failed).toMatchObject({
    state: 'Failed',
    failureCode: 'processing_failed',
    failureMessage: expect.stringMatching(/^Failed 3 times at its step “Renditions”.*\. The original is kept\.$/),
  });
  expect((await storedBytes(store, toVideoKeys(failed.id).original)).equals(await readFile(sample))).toBe(true);
  expect(readdirSync(archive.context.folder.root)).not.toContain('trash');
  expect((await retry()).output).toContain(`${failed.id}  Harbour at dusk`);
  isBroken = false;
  expect(await retry(failed.id)).toMatchObject({ exitCode: 0, output: expect.stringContaining(`${failed.id}: being tried again.`) });
  await until(async () => (await findFootage(pool, failed.id))?.state === 'Processed');
  expect(await retry(failed.id)).toMatchObject({ exitCode: 1, output: expect.stringContaining('This video has not failed') });
});

test('importing the same file again takes a film up that failed, under its id', { timeout: 60_000 }, async () => {
  const id = await failedSample();
  expect(await importFile(archive.context, sample)).toMatchObject({ videoId: id, wasKnown: false });
  await until(async () => (await findFootage(archive.context.pool, id))?.state === 'Processed');
});

test('a film whose original lies in the trash is not tried again, and the way to it is told', async () => {
  const id = await failedSample();
  const entry = await archive.context.store.remove(toVideoKeys(id).all, 'a test');
  const { exitCode, output } = await retry(id);
  expect([exitCode, output]).toEqual([1, expect.stringContaining(`npm run trash -- restore ${entry?.name}`)]);
  expect((await findFootage(archive.context.pool, id))?.state).toBe('Failed');
});

test('a film that is just being refused is not tried again before its file lies in the trash', async () => {
  const { pool, store } = archive.context;
  const path = join(archive.scratch, 'letter.mp4');
  await writeFile(path, 'Dear archive,\n'.repeat(400));
  const removal = Promise.withResolvers<void>();
  removalWaitsFor = removal.promise;
  const { videoId } = await importFile(archive.context, path);
  const stateOf = async () => (await findFootage(pool, videoId))?.state;
  await until(async () => (await stateOf()) === 'Failed');
  const { exitCode, output } = await retry(videoId);
  removal.resolve();
  expect([exitCode, output]).toEqual([1, expect.stringContaining('is still busy with this video')]);
  await until(async () => (await store.trash.list(videoId)).length > 0);
  expect(await stateOf()).toBe('Failed');
});

/** The sample film, as if its last try had failed. */
async function failedSample(): Promise<string> {
  const { id } = await archive.ingest(sample);
  await archive.context.pool.query(`update videos set state = 'Failed', failure_code = 'processing_failed' where id = $1`, [id]);
  return id;
}

/** Tools that stumble at the renditions for as long as `isBroken`. */
function withRenditionsThatFail(tools: MediaTools): MediaTools {
  const failing = <T extends unknown[]>(work: (...args: T) => Promise<void>) => {
    return (...args: T) => (isBroken ? Promise.reject(new StepFailure({ is: 'try-again' }, 'It broke half way.')) : work(...args));
  };
  return { ...tools, copyRendition: failing(tools.copyRendition), encodeRenditions: failing(tools.encodeRenditions) };
}

function withRemovalThatWaits(store: FileStore): FileStore {
  return {
    ...store,
    remove: async (key, reason) => {
      await removalWaitsFor;
      return await store.remove(key, reason);
    },
  };
}

function retry(...args: string[]) {
  return runCommand('commands/retry.ts', args, { RUSHES_DATA: archive.context.folder.root, DATABASE_URL: archive.database.url });
}
