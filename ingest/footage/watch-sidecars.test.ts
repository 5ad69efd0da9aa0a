import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import type { ImportContext } from './import-file.ts';
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
async function lookAnew(more: Partial<ImportContext> = {}): Promise<string[]> {
  const said: string[] = [];
  const watching = { folder, log: (line: string) => void said.push(line), signal: new AbortController().signal };
  const watch = await openFolderWatch({ ...archive.context, ...more }, watching);
  for (let n = 0; n < 2 * looksUntilWhole; n += 1) await takeWhole(watch, await lookThrough(watch));
  return said;
}

const cue = (text: string) => `1\n00:00:00,000 --> 00:00:02,000\n${text}\n`;

test('what comes to lie beside a film after it was taken is laid beside it, once, also beside one that was taken before that was noted', async () => {
  const { pool, store } = archive.context;
  writeFileSync(join(folder, 'reel.mp4'), 'a reel');
  await lookAnew();
  const { rows } = await pool.query<{ id: string }>('select id from videos');
  const laid = async (kept: string) => String(await storedBytes(store, `${toVideoKeys(rows[0]?.id ?? '').sidecars}/${kept}`));
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

test('what comes while a worker reads the film’s files is laid beside it afterwards, also where the quota has no room for another film', async () => {
  const { pool, store } = archive.context;
  writeFileSync(join(folder, 'busy.mp4'), 'a busy reel');
  await lookAnew();
  const { rows } = await pool.query<{ id: string }>(`select id from videos where file_name = 'busy.mp4'`);
  const id = rows[0]?.id ?? '';
  await pool.query(`insert into steps (name, position, version, class, optional) values ('captions', 0, 1, 'playable', false)`);
  await pool.query(`insert into ingest_steps (video_id, step, state, started_at) values ($1, 'captions', 'running', now())`, [id]);
  writeFileSync(join(folder, 'busy.en.srt'), cue('Late'));
  expect((await lookAnew()).join()).toContain('A worker is reading this video’s files');
  const kept = `${toVideoKeys(id).sidecars}/subtitles-0.en.txt`;
  expect(await store.stat(kept)).toBeNull();
  await pool.query(`update ingest_steps set state = 'done', ended_at = now() where video_id = $1`, [id]);
  expect((await lookAnew({ quota: { archiveMaxBytes: 1 } })).join()).toContain('busy.en.srt was added to it.');
  expect(String(await storedBytes(store, kept))).toBe(cue('Late'));
  expect(await lookAnew()).toEqual([]);
});

test('a film beside which something may not be read is taken in once with a word of that file, which is laid beside it as soon as it may be', async ({
  onTestFinished,
}) => {
  const { pool, store, folder: data } = archive.context;
  onTestFinished(beNobody([archive.scratch, data.root]));
  writeFileSync(join(folder, 'closed.mp4'), 'a reel with closed words');
  const words = join(folder, 'closed.en.srt');
  writeFileSync(words, cue('Closed'));
  chmodSync(words, 0);
  const said = await lookAnew();
  expect(said).toEqual([
    expect.stringContaining('closed.mp4: added as video '),
    expect.stringContaining('closed.mp4: closed.en.srt not used (the archive may not read it)'),
  ]);
  expect(await lookAnew()).toEqual([]);
  writeFileSync(join(folder, 'same.mp4'), 'a reel with closed words');
  renameSync(words, join(folder, 'same.en.srt'));
  expect((await lookAnew()).join()).toContain('same.en.srt was skipped: the archive may not read it.');
  chmodSync(join(folder, 'same.en.srt'), 0o644);
  expect((await lookAnew()).join()).toContain('same.en.srt was added to it.');
  const { rows } = await pool.query<{ id: string }>(`select id from videos where file_name = 'closed.mp4'`);
  expect(rows).toHaveLength(1);
  expect(String(await storedBytes(store, `${toVideoKeys(rows[0]?.id ?? '').sidecars}/subtitles-0.en.txt`))).toBe(cue('Closed'));
});

/** Root may read everything: for a while the test is nobody, to whom these folders belong, and who reaches the database. Returns what ends that. */
function beNobody(folders: readonly string[]): () => void {
  if (process.getuid?.() !== 0) return () => {};
  execFileSync('chown', ['-R', '65534', ...folders]);
  chmodSync(new URL(archive.database.url).searchParams.get('host') ?? '', 0o711);
  process.seteuid?.(65_534);
  return () => process.seteuid?.(0);
}
