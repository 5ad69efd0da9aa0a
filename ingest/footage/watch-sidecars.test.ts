import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { videoKeys } from '#domain/files/video-keys.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { looksUntilWhole, lookThrough, openFolderWatch, takeWhole } from './watch-folder.ts';

let archive: TestIngest;
let folder: string;
beforeAll(async () => {
  archive = await openTestIngest(undefined, { steps: [] });
  folder = join(archive.scratch, 'watched');
  mkdirSync(folder);
});
afterAll(() => archive.close());

/** Looks as a worker that has just started does; returns what it said. */
async function lookAnew(): Promise<string[]> {
  const said: string[] = [];
  const watching = { folder, log: (line: string) => void said.push(line), signal: new AbortController().signal };
  const watch = await openFolderWatch(archive.context, watching);
  for (let n = 0; n < 2 * looksUntilWhole; n += 1) await takeWhole(watch, await lookThrough(watch));
  return said;
}

const cue = (text: string) => `1\n00:00:00,000 --> 00:00:02,000\n${text}\n`;

test('what comes to lie beside a film after it was taken is laid beside it, once, also beside one that was taken before that was noted', async () => {
  const { pool, store } = archive.context;
  writeFileSync(join(folder, 'reel.mp4'), 'a reel');
  await lookAnew();
  const { rows } = await pool.query<{ id: string }>('select id from videos');
  const laid = async (kept: string) => String(await storedBytes(store, `${videoKeys(rows[0]?.id ?? '').sidecars}/${kept}`));
  writeFileSync(join(folder, 'reel.en.srt'), cue('The harbour'));
  expect((await lookAnew()).join()).toContain('reel.en.srt was added to it.');
  expect(await laid('subtitles-0.en.txt')).toBe(cue('The harbour'));
  expect(await lookAnew()).toEqual([]);
  await pool.query('update watched_files set beside = null');
  expect(await lookAnew()).toEqual([]);
  writeFileSync(join(folder, 'reel.de.srt'), cue('Der Hafen'));
  expect((await lookAnew()).join()).toContain('reel.de.srt was added to it.');
  expect(await laid('subtitles-1.de.txt')).toBe(cue('Der Hafen'));
  expect((await pool.query('select from videos')).rowCount).toBe(1);
});
