import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileStore } from '#domain/files/store.ts';
import { StoreAway } from '#domain/files/store-away.ts';
import { findFootage } from '#domain/videos/footage.ts';
import { canMakeMedia, makeClip } from '#testing/media-clips.ts';
import { openTestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { importFile } from './footage/import-file.ts';

test.skipIf(!canMakeMedia)('a store that is away for a while makes films wait, and fails none', { timeout: 300_000 }, async () => {
  let refusals = 1;
  const said: string[] = [];
  const away = (store: FileStore): FileStore => ({
    ...store,
    put: async (key, from) => {
      if (key.endsWith('.jpg') && refusals-- > 0) throw new StoreAway('it does not answer');
      await store.put(key, from);
    },
  });
  const archive = await openTestIngest(undefined, { store: away, log: (line) => said.push(line) });
  const film = join(archive.scratch, 'film.mp4');
  await makeClip(film);
  expect((await archive.ingest(film)).state).toBe('Processed');
  expect(said.filter((line) => line.includes('it waits, and goes on when the store is there'))).toHaveLength(1);
  await archive.close();
});

test('a film whose original is not there any more is never taken for damaged', { timeout: 300_000 }, async () => {
  const said: string[] = [];
  let isGone = false;
  const vanishing = (store: FileStore): FileStore => ({
    ...store,
    stat: (key) => (isGone ? Promise.resolve(null) : store.stat(key)),
    withLocalCopy: (key, work) => {
      isGone = true;
      return store.withLocalCopy(key, work);
    },
  });
  const archive = await openTestIngest(undefined, { store: vanishing, log: (line) => said.push(line) });
  const broken = join(archive.scratch, 'film.mp4');
  writeFileSync(broken, 'what a disk gives that is about to go');
  const { videoId } = await importFile(archive.context, broken);
  await until(() => said.some((line) => line.includes('its original is missing')));
  expect(await findFootage(archive.context.pool, videoId)).toMatchObject({ failureCode: null });
  expect((await findFootage(archive.context.pool, videoId))?.state).not.toBe('Failed');
  await archive.close();
});
