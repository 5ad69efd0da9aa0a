import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, statfsSync, symlinkSync, writeSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { FileStore } from '#domain/files/store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { findFootage } from '#domain/videos/footage.ts';
import { listSteps, runStepAgain } from '#domain/videos/steps.ts';
import { canMakeMedia, makeMedia } from '#testing/media-clips.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { wantsWholeCorpus } from '#testing/whole-corpus.ts';
import { importFile } from './footage/import-file.ts';
import { language } from './steps/language.ts';
import { largerRenditions } from './steps/renditions.ts';
import { steps } from './steps.ts';
import type { MediaTools } from './tools/media-tools.ts';

const diskMegabytes = 128;
const samples = join(import.meta.dirname, '..', 'samples');
const films = readdirSync(samples)
  .filter((name) => name.endsWith('.mp4'))
  .map((name) => join(samples, name));
/** Where the disk fills up: just before this is written. A tool writes into the scratch folder, the rest goes to its place. */
const moments = ['stills', 'frames.pack', 'storyboard.json', 'renditions', 'hls', 'captions.vtt'];
const tried = wantsWholeCorpus ? moments : ['renditions', 'captions.vtt'];

const mount = mkdtempSync(join(tmpdir(), 'rushes-full-'));
const canMount =
  process.getuid?.() === 0 && spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', mount]).status === 0;
let archive: TestIngest;
let fillsAt = '';
/** Behind what the disk is full: once, too. */
let fillsBehind = '';
/** What the next stills are not drawn before. */
let stillsWaitFor: Promise<void> | undefined;
const said: string[] = [];
/** How often a film was encoded. */
let encoded = 0;

beforeAll(async () => {
  archive = await openTestIngest(undefined, {
    tools: fillBeforeTools,
    store: fillBeforePuts,
    dataFolder: join(mount, 'data'),
    log: (line) => said.push(line),
    reserveBytes: 1_000_000,
  });
});
afterAll(async () => {
  await archive.close();
  spawnSync('umount', [mount]);
  rmSync(mount, { recursive: true, force: true });
});

// Only root may mount a small disk to fill.
test.runIf(canMount).each(tried)(
  'a disk that is full at %s loses nothing: the film waits, and is done when there is room',
  { timeout: 120_000 },
  async (moment) => {
    const film = films[moments.indexOf(moment)] ?? '';
    fillsAt = moment;
    const { videoId } = await importFile(archive.context, film);
    await until(() => said.some((line) => line.includes(videoId) && line.includes('disk is full; it waits')));
    expect((await findFootage(archive.context.pool, videoId))?.state).toBe('Processing');
    makeRoom();
    const video = await until(async () => {
      const found = await findFootage(archive.context.pool, videoId);
      return found && ['Processed', 'Failed'].includes(found.state) && found;
    });
    expect(video.state).toBe('Processed');
    expect((await storedBytes(archive.context.store, toVideoKeys(videoId).original)).equals(await readFile(film))).toBe(true);
  },
);

test.runIf(canMount)('a film that waits for room from the beginning says how much it lacks, and no more when there is some', async () => {
  const { pool } = archive.context;
  // With nothing beside it: its facts are what is written last.
  const alone = join(archive.scratch, 'alone.mp4');
  await copyFile(films.at(-2) ?? '', alone);
  fillsBehind = 'facts.json';
  const { videoId } = await importFile(archive.context, alone);
  const reasons = async () =>
    (await listSteps(pool, videoId)).flatMap(({ state, message }) => (message === null ? [] : [[state, message]]));
  await until(async () => (await reasons()).length > 0);
  expect(await reasons()).toEqual([
    ['waiting', expect.stringMatching(/^The archive's disk needs \d+ MB more; once that is free, this resumes automatically\.$/)],
  ]);
  makeRoom();
  await until(async () => (await findFootage(pool, videoId))?.state === 'Processed');
  expect(JSON.stringify(await reasons())).not.toContain('disk');
});

test.runIf(canMount)('what lacks room no more does not say so, also while another film goes first', async () => {
  const { pool } = archive.context;
  const [one, other] = await Promise.all([processedCopy('one'), processedCopy('other')]);
  const waitingFor = async (videoId: string) => (await listSteps(pool, videoId)).find(({ name }) => name === 'stills');
  const both = async () => await Promise.all([waitingFor(one), waitingFor(other)]);
  const first = Promise.withResolvers<void>();
  stillsWaitFor = first.promise;
  fill();
  for (const videoId of [one, other]) await runStepAgain(archive.context, { videoId, step: 'stills' });
  await until(async () => (await both()).every((step) => step?.message?.includes('disk needs')));
  makeRoom();
  await until(async () => {
    const steps = await both();
    return steps.some((step) => step?.state === 'running') && steps.some((step) => step?.state === 'waiting' && step.message === null);
  });
  first.resolve();
  await until(async () => (await both()).every((step) => step?.state === 'done'));
});

test.runIf(canMount)('a disk that is full when footage comes in refuses it in words, and leaves nothing of it behind', async () => {
  const film = films.at(-1) ?? '';
  const before = await archive.context.store.listVideos();
  fill();
  await expect(importFile(archive.context, film)).rejects.toMatchObject({ code: 'storage_full' });
  await expect(importFile({ ...archive.context, reserveBytes: 0 }, film)).rejects.toMatchObject({
    code: expect.stringMatching(/^(storage_full|ENOSPC)$/),
  });
  makeRoom();
  expect(readdirSync(archive.context.folder.staging)).toEqual([]);
  expect(await archive.context.store.listVideos()).toEqual(before);
  expect((await importFile(archive.context, film)).wasKnown).toBe(false);
});

test.runIf(canMount)(
  'a disk of the media alone that is full holds no halves of files, and nothing is made for it before there is room',
  { timeout: 120_000 },
  async () => {
    const [place, heard] = [mkdtempSync(join(tmpdir(), 'rushes-full-media-')), [] as string[]];
    const [disk, dataFolder] = [join(place, 'disk'), join(place, 'data')];
    for (const folder of [disk, dataFolder]) mkdirSync(folder);
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]);
    symlinkSync(disk, join(dataFolder, 'media'));
    let made = 0;
    const filling = <T extends unknown[]>(make: (...args: T) => Promise<void>) => {
      return async (...args: T) => {
        await make(...args);
        if (made++ === 0) fill(disk);
      };
    };
    const tools = (found: MediaTools): MediaTools => ({
      ...found,
      copyRendition: filling(found.copyRendition),
      encodeRenditions: filling(found.encodeRenditions),
    });
    const own = await openTestIngest(undefined, { tools, dataFolder, log: (line) => heard.push(line), reserveBytes: 1_000_000 });
    onTestFinished(async () => {
      await own.close();
      spawnSync('umount', [disk]);
      rmSync(place, { recursive: true, force: true });
    });
    const { videoId } = await importFile(own.context, films[0] ?? '');
    const waits = () => heard.filter((line) => line.includes('disk is full; it waits')).length;
    await until(() => waits() > 0);
    const once = made;
    await until(() => waits() > 1);
    expect([made, readdirSync(own.context.folder.drafts)]).toEqual([once, []]);
    rmSync(join(disk, 'ballast'));
    await until(async () => (await findFootage(own.context.pool, videoId))?.state === 'Processed');
  },
);

test.runIf(canMount && canMakeMedia)(
  'a film for whose larger sizes there is no room plays, and is understood; they are made once there is',
  { timeout: 120_000 },
  async () => {
    const wanted = steps.filter((step) => step.class === 'playable' || step === largerRenditions || step === language);
    const own = await openTestIngest(undefined, { dataFolder: join(mount, 'own'), steps: wanted });
    onTestFinished(() => own.close());
    const { pool } = own.context;
    const film = join(own.scratch, 'film.avi');
    await makeMedia(['-f', 'lavfi', '-i', 'color=c=gray:s=1280x720:r=1:d=800', '-c:v', 'mpeg4', film]);
    const { id, state } = await own.ingest(film);
    expect(state).toBe('Processed');
    const stepOf = async (name: string) => (await listSteps(pool, id)).find((step) => step.name === name);
    await until(async () => (await stepOf(language.name))?.state === 'skipped');
    expect(await stepOf(largerRenditions.name)).toMatchObject({ state: 'waiting', message: expect.stringContaining('disk needs') });
    expect(spawnSync('mount', ['-o', 'remount,size=512m', mount]).status).toBe(0);
    await runStepAgain(own.context, { videoId: id, step: largerRenditions.name });
    await until(async () => (await stepOf(largerRenditions.name))?.state === 'done', { withinMs: 60_000 });
    expect(spawnSync('mount', ['-o', `remount,size=${diskMegabytes}m`, mount]).status).toBe(0);
  },
);

test.runIf(canMount && canMakeMedia)(
  'a film is not encoded before there is room for what comes of it, and says how much is lacking',
  { timeout: 120_000 },
  async () => {
    const { pool } = archive.context;
    const long = join(archive.scratch, 'long.avi');
    await makeMedia(['-f', 'lavfi', '-i', 'color=c=gray:s=1280x720:r=1:d=2000', '-c:v', 'mpeg4', long]);
    encoded = 0;
    const { videoId } = await importFile(archive.context, long);
    const state = async () => (await listSteps(pool, videoId)).find(({ name }) => name === 'renditions');
    await until(async () => (await state())?.message?.includes('disk needs'));
    expect([encoded, (await state())?.state]).toEqual([0, 'waiting']);
    expect(spawnSync('mount', ['-o', 'remount,size=512m', mount]).status).toBe(0);
    await until(async () => (await findFootage(pool, videoId))?.state === 'Processed');
    expect(encoded).toBe(1);
  },
);

/** A film of this name that is done: a sample with a box that players skip, so that no other test has it. */
async function processedCopy(name: string): Promise<string> {
  const path = join(archive.scratch, `${name}.mp4`);
  const box = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`free${name.padEnd(16)}`, 'latin1')]);
  await writeFile(path, Buffer.concat([await readFile(films[1] ?? ''), box]));
  const { id, state } = await archive.ingest(path);
  expect(state).toBe('Processed');
  return id;
}

function fillBeforeTools(tools: MediaTools): MediaTools {
  return {
    ...tools,
    drawStills: async (...args) => {
      fillIf('stills');
      await stillsWaitFor;
      return await tools.drawStills(...args);
    },
    copyRendition: (...args) => {
      fillIf('renditions');
      return tools.copyRendition(...args);
    },
    encodeRenditions: (...args) => {
      encoded++;
      fillIf('renditions');
      return tools.encodeRenditions(...args);
    },
  };
}

function fillBeforePuts(store: FileStore): FileStore {
  return {
    ...store,
    put: async (key, from) => {
      const name = key.split('/').at(-1) ?? '';
      fillIf(name);
      const put = await store.put(key, from);
      if (name === fillsBehind) {
        fillsBehind = '';
        fill();
      }
      return put;
    },
    putFolder: (key, from) => {
      fillIf(key.split('/').at(-1) ?? '');
      return store.putFolder(key, from);
    },
  };
}

/** Once: the next try meets the disk as it is then. */
function fillIf(moment: string): void {
  if (moment !== fillsAt) return;
  fillsAt = '';
  fill();
}

/** Leaves not one byte free on a disk. */
function fill(disk = mount): void {
  const file = openSync(join(disk, 'ballast'), 'w');
  const piece = Buffer.alloc(65_536);
  try {
    while (statfsSync(disk).bavail > 0) writeSync(file, piece);
  } catch {
    // No space left: that is what is wanted.
  }
  closeSync(file);
}

function makeRoom(): void {
  rmSync(join(mount, 'ballast'), { force: true });
}
