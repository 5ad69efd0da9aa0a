import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as letOthersIn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { FileStore } from '#domain/files/store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { listLeftOut } from '#domain/footage/watched-files.ts';
import { deleteFilm, restoreFilm } from '#domain/videos/deletions.ts';
import { listFilmsUnderWay } from '#domain/videos/desk/desk-films.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { canMakeMedia, makeClip } from '#testing/media-clips.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { readKeptSidecars } from './sidecars.ts';
import { looksUntilWhole, lookThrough, openFolderWatch, startWatching, takeWhole } from './watch-folder.ts';

type Watch = Awaited<ReturnType<typeof openFolderWatch>>;

let archive: TestIngest;
let folder: string;
let watch: Watch;
let said: string[] = [];
let stop: AbortController;

beforeAll(async () => {
  archive = await openTestIngest(undefined, { steps: [], log: (line) => said.push(line) });
});
afterAll(() => archive.close());

beforeEach(async () => {
  folder = join(archive.scratch, 'watched');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await archive.context.pool.query('truncate videos, watched_files cascade');
  watch = await startAnew();
});

/** As a worker that has just started watches. */
async function startAnew(reserveBytes = 0): Promise<Watch> {
  said = [];
  stop = new AbortController();
  return await openFolderWatch({ ...archive.context, reserveBytes }, { folder, log: (line) => said.push(line), signal: stop.signal });
}

async function look(times = looksUntilWhole): Promise<void> {
  for (let n = 0; n < times; n += 1) await takeWhole(watch, await lookThrough(watch));
}

/** Goes on by what is waited for, and by what a test adds. */
function clockByHand() {
  const rests: number[] = [];
  const clock = { ms: 0, rests, nowMs: () => clock.ms, wait };
  async function wait(ms: number): Promise<void> {
    rests.push(ms);
    clock.ms += ms;
    await letOthersIn();
  }
  return clock;
}

const inFolder = (name: string) => join(folder, name);
const taken = async () => {
  const { rows } = await archive.context.pool.query<{ id: string; file_name: string }>(
    'select id, file_name from videos order by file_name',
  );
  return rows;
};
const takenNames = async () => (await taken()).map(({ file_name }) => file_name);
const leftOut = async () => (await listLeftOut(archive.context.pool)).map(({ fileName, state, message }) => [fileName, state, message]);
const saidOf = (name: string) => said.filter((line) => line.includes(name));

test('a film that is still being written is left alone, and taken in when it and what lies beside it are whole', async () => {
  writeFileSync(inFolder('harbour.mp4'), 'its beginning');
  await look(looksUntilWhole - 1);
  appendFileSync(inFolder('harbour.mp4'), ' and its end');
  await look(looksUntilWhole - 1);
  writeFileSync(inFolder('harbour.en.srt'), '1\n00:00:00,500 --> 00:00:01,500\nThe lights ca');
  await look(looksUntilWhole - 1);
  appendFileSync(inFolder('harbour.en.srt'), 'me on\n');
  await look(looksUntilWhole - 1);
  expect(await taken()).toEqual([]);
  await look(1);
  const [film] = await taken();
  const { store } = archive.context;
  const keys = toVideoKeys(film?.id ?? '');
  expect(String(await (await store.openRange(keys.original, { start: 0, end: 100 }))?.bytes())).toBe('its beginning and its end');
  const { subtitles } = await readKeptSidecars(store, keys.sidecars);
  expect(subtitles).toMatchObject([{ language: 'en' }]);
  expect(said).toEqual([`watched folder: ${inFolder('harbour.mp4')}: added as video ${film?.id}`]);
  expect(readFileSync(inFolder('harbour.mp4'), 'utf8')).toBe('its beginning and its end');
});

test('a film is taken in once, over restarts, in a second place and after it was deleted; one that changes is another', async () => {
  writeFileSync(inFolder('once.mp4'), 'one film');
  await look();
  watch = await startAnew();
  await look();
  expect(said).toEqual([]);
  mkdirSync(inFolder('copies'));
  writeFileSync(inFolder('copies/again.mp4'), 'one film');
  await look();
  expect(said).toEqual([expect.stringContaining('copies/again.mp4: already in the archive, as video ')]);
  await archive.context.pool.query('delete from videos');
  watch = await startAnew();
  await look();
  expect(await taken()).toEqual([]);
  writeFileSync(inFolder('once.mp4'), 'another film');
  await look();
  expect(await takenNames()).toEqual(['once.mp4']);
});

test('a film that was deleted and lies there again under another name waits with the way back, which is said once, is not copied again and again, and is known once that is restored', async () => {
  writeFileSync(inFolder('deleted.mp4'), 'a film that is deleted');
  await look();
  const [film] = await taken();
  await deleteFilm(archive.context.pool, { videoId: film?.id ?? '', name: 'Deleted', reason: '', actorUid: 'somebody', from: 'a test' });
  renameSync(inFolder('deleted.mp4'), inFolder('same.mp4'));
  await look(3 * looksUntilWhole);
  const why = 'This is the deleted video “Deleted”. Restore it from the desk, under Deleted.';
  expect(await leftOut()).toEqual([['same.mp4', 'waiting', why]]);
  expect(saidOf('same.mp4')).toEqual([`watched folder: ${inFolder('same.mp4')}: waits: ${why}`]);
  expect(readdirSync(archive.context.folder.staging)).toEqual([]);
  await restoreFilm(archive.context, { videoId: film?.id ?? '', actorUid: 'somebody', from: 'a test' });
  await until(() => look().then(async () => (await leftOut()).length === 0));
  expect(said.at(-1)).toContain(`same.mp4: already in the archive, as video ${film?.id}`);
});

test('a refused file is told with its reason, once, until it changes; when it has gone nothing of it is left', async () => {
  writeFileSync(inFolder('empty.mp4'), '');
  await look();
  const why = ['empty.mp4', 'refused', 'The file is empty.'];
  expect(await leftOut()).toEqual([why]);
  expect(said).toEqual([`watched folder: ${inFolder('empty.mp4')}: refused: The file is empty.`]);
  watch = await startAnew();
  await look();
  expect(said).toEqual([]);
  utimesSync(inFolder('empty.mp4'), 1, 1);
  await look();
  expect(saidOf('empty.mp4')).toHaveLength(1);
  writeFileSync(inFolder('empty.mp4'), 'not any more');
  await until(() => look().then(async () => (await leftOut()).length === 0));
  expect([await leftOut(), await takenNames()]).toEqual([[], ['empty.mp4']]);
  writeFileSync(inFolder('gone.mp4'), '');
  await look();
  rmSync(inFolder('gone.mp4'));
  await look(1);
  expect(await leftOut()).toEqual([]);
});

test('what is hidden, partial, no footage, thrown away or a link is left alone without a word', async () => {
  const elsewhere = join(archive.scratch, 'elsewhere');
  mkdirSync(elsewhere, { recursive: true });
  writeFileSync(join(elsewhere, 'secret.mp4'), 'of somebody else');
  symlinkSync(join(elsewhere, 'secret.mp4'), inFolder('link.mp4'));
  symlinkSync(elsewhere, inFolder('folder'));
  execFileSync('mkfifo', [inFolder('pipe.mp4')]);
  const names = ['.hidden.mp4', '~lock.mp4', 'a.mp4.part', 'b.mp4', 'b.mp4.crdownload', 'c.mp4.tmp', 'd.mp4~', 'notes.txt', 'e.srt'];
  for (const below of ['#recycle', '@eaDir', '.snapshot']) mkdirSync(inFolder(below));
  for (const name of [...names, '#recycle/f.mp4', '@eaDir/g.mp4', '.snapshot/h.mp4']) writeFileSync(inFolder(name), name);
  await look();
  expect([await taken(), await leftOut(), said]).toEqual([[], [], []]);
  renameSync(inFolder('b.mp4.crdownload'), inFolder('b.mp4'));
  await look();
  expect(await takenNames()).toEqual(['b.mp4']);
});

test('a folder that becomes a link while it is looked through is not followed', async () => {
  const elsewhere = join(archive.scratch, 'moved');
  const swap = () => {
    renameSync(inFolder('day'), elsewhere);
    symlinkSync(elsewhere, inFolder('day'));
  };
  // The first film is told of when the second one is listed and not yet looked at.
  watch = await openFolderWatch(archive.context, { folder, log: swap, signal: stop.signal });
  mkdirSync(inFolder('day'));
  for (const name of ['a.mp4', 'day/film.mp4']) writeFileSync(inFolder(name), name);
  await look();
  expect(await takenNames()).toEqual(['a.mp4']);
});

test('names of every kind are kept as text, below no other folder, and a name that nobody can open is refused', async () => {
  const corpus = readCorpus('file-names', z.object({ value: z.string(), expect: z.string() })).filter(({ value }) => {
    return !/[/\0]/.test(value) && !['', '.', '..'].includes(value) && Buffer.byteLength(value) < 256 && value.isWellFormed();
  });
  for (const [n, { value }] of corpus.entries()) writeFileSync(inFolder(value), `film ${n}`);
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.mp4')]), 'bytes');
  await look();
  const accepted = corpus.filter(({ value, expect: verdict }) => verdict === 'store-under-server-id' && !/^[.~]/.test(value));
  expect((await taken()).length).toBeGreaterThan(accepted.length / 2);
  expect((await takenNames()).every((name) => name === basename(name) && !/[\u0000-\u001f\u202e]/.test(name))).toBe(true);
  expect(await leftOut()).toEqual([['��.mp4', 'refused', 'Its name is not valid UTF-8. Rename it.']]);
});

test.skipIf(!canMakeMedia)(
  'what is in a file decides, as with any other way in: a film plays, and what is none is refused in words',
  { timeout: 60_000 },
  async () => {
    const working = await openTestIngest();
    await makeClip(inFolder('plays.mp4'));
    writeFileSync(inFolder('stray.mp4'), 'nothing that anybody could play');
    watch = await openFolderWatch(working.context, { folder, log: () => {}, signal: stop.signal });
    await look();
    const films = await until(async () => {
      const { films: under } = await listFilmsUnderWay(working.context.pool, 30);
      return under.every(({ state }) => ['Processed', 'Failed'].includes(state)) && under;
    });
    await working.close();
    const verdicts = films.map(({ fileName, state, failureMessage }) => [fileName, state, failureMessage]).toSorted();
    expect(verdicts).toEqual([
      ['plays.mp4', 'Processed', null],
      ['stray.mp4', 'Failed', expect.any(String)],
    ]);
  },
);

test('on a full disk a film waits, which is said once, and comes in when there is room', async () => {
  watch = await startAnew(Number.MAX_SAFE_INTEGER);
  writeFileSync(inFolder('large.mp4'), 'a film');
  await look(3 * looksUntilWhole);
  expect(await leftOut()).toEqual([['large.mp4', 'waiting', expect.stringContaining('once that is free')]]);
  expect(saidOf('large.mp4')).toHaveLength(1);
  watch = await startAnew();
  await look();
  expect([await leftOut(), await takenNames()]).toEqual([[], ['large.mp4']]);
});

test('a film that the quota of originals has no room for waits in the folder, which is said once with what is left, and no copy is made', async () => {
  writeFileSync(inFolder('first.mp4'), 'a film');
  await look();
  writeFileSync(inFolder('second.mp4'), 'another film');
  const context = { ...archive.context, quota: { archiveMaxBytes: 17 } };
  watch = await openFolderWatch(context, { folder, log: (line) => said.push(line), signal: stop.signal });
  await look(3 * looksUntilWhole);
  expect(await leftOut()).toEqual([['second.mp4', 'waiting', expect.stringContaining('Delete videos that nobody needs')]]);
  expect([await takenNames(), saidOf('second.mp4').length, readdirSync(archive.context.folder.staging)]).toEqual([['first.mp4'], 1, []]);
  watch = await openFolderWatch({ ...context, quota: { archiveMaxBytes: 18 } }, { folder, log: () => {}, signal: stop.signal });
  await look();
  expect(await takenNames()).toEqual(['first.mp4', 'second.mp4']);
});

test('however long films take to copy, nobody rests for it, and what comes meanwhile is looked at and taken in', async () => {
  const [watching, clock] = [new AbortController(), clockByHand()];
  const { store } = archive.context;
  const slow: FileStore = {
    ...store,
    put: async (...file) => {
      clock.ms += 8 * 60_000;
      if ((await taken()).length === 0) writeFileSync(inFolder('tape-6b.mp4'), 'came while the first was copied');
      await store.put(...file);
    },
  };
  const tapes = Array.from({ length: 9 }, (_, n) => `tape-${n}.mp4`);
  for (const name of tapes) writeFileSync(inFolder(name), name);
  const log = (line: string) => {
    said.push(line);
    if (saidOf('added as').length === tapes.length + 1) watching.abort();
  };
  await startWatching({ ...archive.context, store: slow }, { folder, log, signal: watching.signal, clock });
  expect(Math.max(...clock.rests)).toBe(2_500);
  const order = saidOf('added as').map((line) => /([^/]+\.mp4)/.exec(line)?.[1]);
  expect(order).toEqual([...tapes, 'tape-6b.mp4'].sort());
});

test('a film that fails after minutes of reading rests nine times as long, and keeps no other from being taken in', async () => {
  let tries = 0;
  const clock = clockByHand();
  const { store } = archive.context;
  const failing: FileStore = {
    ...store,
    put: async (...file) => {
      if (tries++ > 0) return await store.put(...file);
      clock.ms += 60_000;
      throw new Error('the share went away');
    },
  };
  const log = (line: string) => said.push(line);
  watch = await openFolderWatch({ ...archive.context, store: failing }, { folder, log, signal: stop.signal, clock });
  for (const name of ['a.mp4', 'b.mp4']) writeFileSync(inFolder(name), name);
  await look(3 * looksUntilWhole);
  expect([await takenNames(), await leftOut()]).toEqual([['b.mp4'], [['a.mp4', 'waiting', expect.stringContaining('Trying again')]]]);
  clock.ms += 9 * 60_000;
  await look();
  expect(await takenNames()).toEqual(['a.mp4', 'b.mp4']);
});

test('a share that goes away is said once, and what lies on it is taken in once it is back', async () => {
  writeFileSync(inFolder('before.mp4'), 'before');
  await look();
  said = [];
  renameSync(folder, `${folder}-away`);
  await look();
  expect(said).toEqual([expect.stringContaining('cannot be read (is its share mounted?)')]);
  renameSync(`${folder}-away`, folder);
  writeFileSync(inFolder('after.mp4'), 'after');
  await look();
  expect(await takenNames()).toEqual(['after.mp4', 'before.mp4']);
  expect(saidOf('before.mp4')).toEqual([]);
});
