import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, glob, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { MediaDescription, PacketScan } from '../media/media-description.ts';
import { StepFailure } from '../step-failure.ts';
import type { MediaInput, MediaTools } from './media-tools.ts';
import type { NodeAvJob } from './node-av-job.ts';
import { runChild } from './run-child.ts';
import { runTool } from './run-tool.ts';
import type { Sandbox } from './sandbox.ts';

const source = join(import.meta.dirname, 'node-av-child.ts');
const Look = z.object({ description: MediaDescription, scan: PacketScan });
const DecodeReport = z.object({ brokenPackets: z.number().int(), clean: z.boolean() });

/** For people, as a sentence begins. */
const doings: Readonly<Record<NodeAvJob['do'], string>> = {
  'look-at': 'Checking the file',
  'draw-stills': 'Extracting small frames',
  'draw-poster': 'Making the poster',
  'draw-grey': 'Detecting shots',
  'draw-pictures': 'Extracting frames',
  'draw-sound': 'Making the waveform',
  'copy-rendition': 'Cutting the video into segments',
  'encode-renditions': 'Encoding the video',
  'extract-subtitles': 'Reading the subtitles',
};

/** Whether the package with its own FFmpeg is here for this platform. */
export function findNodeAv(): boolean {
  const require = createRequire(import.meta.url);
  try {
    require.resolve('node-av');
    require.resolve(`@seydx/node-av-${process.platform}-${process.arch}`);
    return true;
  } catch {
    return false;
  }
}

const withoutSubtitles = {
  reason: 'The built-in FFmpeg cannot draw picture subtitles.',
  whatToDo: 'Put ffmpeg 7.1 or newer on the worker’s PATH or set FFMPEG_PATH to it, and restart the worker.',
};

/** The media tools by node-av, FFmpeg inside npm. A fault in it ends the whole process, so every job has a process of its own. */
export function makeNodeAvTools(sandbox: Sandbox): MediaTools {
  const child = bundleChild(source);
  const run = (input: MediaInput, job: NodeAvJob) =>
    runChild(sandbox, input, { file: child(), job, doing: doings[job.do], Result: z.unknown() });
  return {
    name: 'FFmpeg of the package node-av',
    drawsFromKeyFrames: true,
    lookAt: async (input) => Look.parse(await run(input, { do: 'look-at', path: input.path })),
    drawStills: async (input, plan) => DecodeReport.parse(await run(input, { do: 'draw-stills', path: input.path, plan })),
    drawPoster: async (input, plan) => void (await run(input, { do: 'draw-poster', path: input.path, plan })),
    drawGrey: async (input, plan) => void (await run(input, { do: 'draw-grey', path: input.path, plan })),
    drawPictures: async (input, plan) => void (await run(input, { do: 'draw-pictures', path: input.path, plan })),
    withoutSubtitles,
    drawSubtitles: () => Promise.reject(new StepFailure({ is: 'tool-missing' }, `${withoutSubtitles.reason} ${withoutSubtitles.whatToDo}`)),
    drawSound: async (input, plan) => void (await run(input, { do: 'draw-sound', path: input.path, plan })),
    copyRendition: async (input, plan) => void (await run(input, { do: 'copy-rendition', path: input.path, plan })),
    encodeRenditions: async (input, plan) => void (await run(input, { do: 'encode-renditions', path: input.path, plan })),
    extractSubtitles: async (input, plan) => void (await run(input, { do: 'extract-subtitles', path: input.path, plan })),
  };
}

const root = resolve(import.meta.dirname, '..', '..');
const bundler = join(import.meta.dirname, 'bundle-child.ts');
const bundlingMs = 120_000;
const keptMs = 7 * 24 * 60 * 60 * 1_000;

/**
 * The module that a child starts with: the one named, until it has been written into one file together with all that it loads, which starts
 * in half the time. Where that cannot be done (no bundler, a folder that nobody may write to) things stay as they are.
 */
export function bundleChild(module: string): () => string {
  let bundle: string | undefined;
  bundleOf(module).then(
    (made) => (bundle = made),
    () => {},
  );
  // Whoever clears the caches of a running archive takes no film from it.
  return () => (bundle !== undefined && existsSync(bundle) ? bundle : module);
}

/** The bundle of a module as its sources are now; made when there is none yet. */
async function bundleOf(module: string): Promise<string> {
  const name = basename(module, '.ts');
  const cache = join(root, 'node_modules', '.cache');
  const folder = join(cache, 'children', `${name}-${await hashSources()}`);
  const bundle = join(folder, `${name}.js`);
  await mkdir(join(cache, 'children'), { recursive: true });
  for (const path of [cache, join(cache, 'children')]) await letOthersPass(path);
  if (existsSync(bundle)) return bundle;
  // Made beside and moved into place: several may begin at once, in one worker too.
  const draft = await mkdtemp(`${folder}-`);
  try {
    const { exitCode } = await runTool({ command: process.execPath, args: [bundler, module, draft], env: {}, timeoutMs: bundlingMs });
    if (exitCode !== 0) throw new Error(`${module} could not be bundled`);
    for (const path of [draft, join(draft, basename(bundle))]) await letOthersPass(path);
    await rename(draft, folder).catch(() => {});
    await sweepOld(join(folder, '..'));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return bundle;
}

/** Decoders may run as another user, and an archive makes what it makes for its own user alone. */
async function letOthersPass(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o055) !== 0o055) await chmod(path, (mode & 0o7777) | 0o055);
}

/** Bundles of sources that have changed since. */
async function sweepOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // A draft of another worker goes meanwhile.
    const known = await stat(path).catch(() => undefined);
    if (known && known.mtimeMs < Date.now() - keptMs) await rm(path, { recursive: true, force: true });
  }
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256');
  const files = await Array.fromAsync(glob('{contract,domain,ingest}/**/*.ts', { cwd: root }));
  for (const file of [...files.sort(), 'package-lock.json']) {
    const { size, mtimeMs } = await stat(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
