import { runTool } from './run-tool.ts';

/** The oldest FFmpeg that is taken without having been asked for. */
export const oldestVersion = '7.1';
// Builds from the middle of development bear no version, but the number of their codecs' library: 7.1 began with this one.
const oldestLibrary = { major: 61, minor: 19 };
const quickMs = 10_000;

/** Which FFmpeg a program is: for people, and whether it is new enough to be taken from the PATH. One that does not answer is not. */
export async function readFfmpegVersion(program: string): Promise<{ version: string; isNewEnough: boolean }> {
  const env = { PATH: '/usr/bin:/bin' };
  const { stdout } = await runTool({ command: program, args: ['-version'], env, timeoutMs: quickMs }).catch(() => ({ stdout: '' }));
  const [, major, minor] = (/^libavcodec\s+(\d+)\.\s*(\d+)/m.exec(stdout) ?? []).map(Number);
  const isNewEnough =
    major !== undefined &&
    minor !== undefined &&
    (major > oldestLibrary.major || (major === oldestLibrary.major && minor >= oldestLibrary.minor));
  return { version: /^ffmpeg version (\S+)/m.exec(stdout)?.[1] ?? 'of unknown version', isNewEnough };
}
