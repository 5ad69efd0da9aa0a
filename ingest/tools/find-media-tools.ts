import { access, constants, readdir, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { StepFailure } from '../step-failure.ts';
import { ffmpegTools } from './ffmpeg-tools.ts';
import type { MediaTools } from './media-tools.ts';
import { findNodeAv, nodeAvTools } from './node-av-tools.ts';
import { runTool } from './run-tool.ts';
import type { Sandbox } from './sandbox.ts';

export interface WhereToLook {
  /** FFMPEG_PATH: the program `ffmpeg`, or the folder that holds it and `ffprobe`. */
  readonly ffmpegPath: string | undefined;
  /** PATH. */
  readonly searchPath: string;
}

/**
 * The media tools of this machine: those of FFMPEG_PATH, whatever their version; else the first on PATH that are new enough; else the
 * FFmpeg that comes with the npm packages. Throws a StepFailure when there are none.
 */
export async function findMediaTools(where: WhereToLook, sandbox: Sandbox): Promise<MediaTools> {
  if (where.ffmpegPath) {
    const [programs] = await programsIn([where.ffmpegPath, dirname(where.ffmpegPath)]);
    if (programs) return ffmpegTools({ ...programs, ...(await readFfmpegVersion(programs.ffmpeg)), sandbox });
    throw missing(`FFMPEG_PATH is ${where.ffmpegPath}, but there are no programs ffmpeg and ffprobe; correct it or remove it.`);
  }
  let older = '';
  for (const programs of await programsIn(where.searchPath.split(delimiter).filter(isAbsolute))) {
    const { version, isNewEnough } = await readFfmpegVersion(programs.ffmpeg);
    if (isNewEnough) return ffmpegTools({ ...programs, version, sandbox });
    older ||= `ffmpeg ${version} at ${programs.ffmpeg} is too old. `;
  }
  if (findNodeAv()) return nodeAvTools(sandbox);
  throw missing(
    `${older}No ffmpeg of version ${oldestVersion} or newer: install it, or run npm ci again so that the package node-av is complete.`,
  );
}

/** Programs that stand side by side, by their true names: a link may lead out of what a decoder sees. */
async function programsIn(folders: readonly string[]): Promise<{ ffmpeg: string; ffprobe: string; files: string[] }[]> {
  const found = [];
  for (const folder of folders) {
    const programs = { ffmpeg: join(folder, 'ffmpeg'), ffprobe: join(folder, 'ffprobe') };
    if (!(await isProgram(programs.ffmpeg)) || !(await isProgram(programs.ffprobe))) continue;
    const [ffmpeg, ffprobe] = [await realpath(programs.ffmpeg), await realpath(programs.ffprobe)];
    found.push({ ffmpeg, ffprobe, files: await ownLibraries(ffmpeg) });
  }
  return found;
}

/** The folder beside `bin` that builds with libraries of their own keep them in. */
async function ownLibraries(ffmpeg: string): Promise<string[]> {
  const folder = join(dirname(dirname(ffmpeg)), 'lib');
  const names = basename(dirname(ffmpeg)) === 'bin' ? await readdir(folder).catch(() => []) : [];
  return names.some((name) => name.startsWith('libavcodec.')) ? [folder] : [];
}

async function isProgram(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function missing(message: string): StepFailure {
  return new StepFailure({ is: 'tool-missing' }, message);
}

/** The oldest FFmpeg that is taken without having been asked for. */
const oldestVersion = '7.1';
// Builds from the middle of development bear no version, but the number of their codecs' library: 7.1 began with this one.
const oldestLibrary = { major: 61, minor: 19 };
const quickMs = 10_000;

/** Which FFmpeg a program is: for people, and whether it is new enough to be taken from the PATH. One that does not answer is not. */
async function readFfmpegVersion(program: string): Promise<{ version: string; isNewEnough: boolean }> {
  const env = { PATH: '/usr/bin:/bin' };
  const { stdout } = await runTool({ command: program, args: ['-version'], env, timeoutMs: quickMs }).catch(() => ({ stdout: '' }));
  const [, major, minor] = (/^libavcodec\s+(\d+)\.\s*(\d+)/m.exec(stdout) ?? []).map(Number);
  const isNewEnough =
    major !== undefined &&
    minor !== undefined &&
    (major > oldestLibrary.major || (major === oldestLibrary.major && minor >= oldestLibrary.minor));
  return { version: /^ffmpeg version (\S+)/m.exec(stdout)?.[1] ?? 'of unknown version', isNewEnough };
}
