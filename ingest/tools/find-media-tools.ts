import { access, constants } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { StepFailure } from '../step-failure.ts';
import { ffmpegTools } from './ffmpeg-tools.ts';
import type { MediaTools } from './media-tools.ts';
import { findNodeAv, nodeAvTools } from './node-av-tools.ts';
import type { Sandbox } from './sandbox.ts';

export interface WhereToLook {
  /** FFMPEG_PATH: the program `ffmpeg`, or the folder that holds it and `ffprobe`. */
  readonly ffmpegPath: string | undefined;
  /** PATH. */
  readonly searchPath: string;
}

/** The media tools of this machine: FFMPEG_PATH, else PATH, else the FFmpeg that comes with the npm packages. */
export async function findMediaTools(where: WhereToLook, sandbox: Sandbox): Promise<MediaTools> {
  if (where.ffmpegPath) {
    const programs = await programsIn([where.ffmpegPath, dirname(where.ffmpegPath)]);
    if (programs) return ffmpegTools({ ...programs, sandbox });
    throw missing(`FFMPEG_PATH is ${where.ffmpegPath}, but there are no programs ffmpeg and ffprobe; correct it or remove it.`);
  }
  const programs = await programsIn(where.searchPath.split(delimiter).filter(isAbsolute));
  if (programs) return ffmpegTools({ ...programs, sandbox });
  if (findNodeAv()) return nodeAvTools(sandbox);
  throw missing('No ffmpeg: install it (on Debian: apt-get install ffmpeg), or run npm ci again so that the package node-av is complete.');
}

async function programsIn(folders: readonly string[]): Promise<{ ffmpeg: string; ffprobe: string } | undefined> {
  for (const folder of folders) {
    const programs = { ffmpeg: join(folder, 'ffmpeg'), ffprobe: join(folder, 'ffprobe') };
    if ((await isProgram(programs.ffmpeg)) && (await isProgram(programs.ffprobe))) return programs;
  }
  return undefined;
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
