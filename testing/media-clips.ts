import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Set once for a whole run of tests, by `findFfmpeg`. */
export const ffmpegPath = process.env.FFMPEG_PATH ?? 'ffmpeg';

/** Whether there is an ffmpeg: tests that make media of their own are skipped, and counted, without it. */
export const canMakeMedia = spawnSync(ffmpegPath, ['-version']).status === 0;

/** Makes a media file with ffmpeg: `args` end in the file's path. */
export async function makeMedia(args: readonly string[]): Promise<void> {
  await run(ffmpegPath, ['-nostdin', '-v', 'error', '-y', ...args]);
}

const picture = ['-f', 'lavfi', '-i', 'testsrc=s=320x180:r=25:d=3'];
const tone = ['-f', 'lavfi', '-i', 'sine=f=440:d=3'];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

/** A three-second H.264/AAC clip at `path`, with `more` arguments before it. */
export async function makeClip(path: string, more: readonly string[] = []): Promise<void> {
  await makeMedia([...picture, ...tone, ...h264, '-g', '50', '-c:a', 'aac', '-shortest', ...more, path]);
}
