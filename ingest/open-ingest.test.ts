import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMediaTools } from './open-ingest.ts';
import type { Sandbox } from './tools/sandbox.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'rushes-ffmpeg-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Nothing is read here, only looked for. */
const sandbox: Sandbox = { walls: [], run: () => Promise.reject(new Error('nothing is run')) };

test.each([
  ['5.1.9-0+deb12u1', '59. 37.100', 'node-av'],
  ['7.0.2', '61.  3.100', 'node-av'],
  ['7.1.1-1+b1', '61. 19.101', 'ffmpeg 7.1.1-1+b1'],
  ['8.0', '62. 11.100', 'ffmpeg 8.0'],
  ['N-118000-g1234567', '61. 31.100', 'ffmpeg N-118000'],
])('of ffmpeg %s on the PATH and the one inside npm, the right one is taken', async (version, library, taken) => {
  const folder = await ffmpegOf(version, library);
  expect((await findMediaTools({ ffmpegPath: undefined, searchPath: folder }, sandbox)).name).toContain(taken);
});

test('an older ffmpeg is passed over for a newer one later on the PATH', async () => {
  const path = `${await ffmpegOf('5.1', '59. 37.100')}:${await ffmpegOf('8.0', '62. 11.100')}`;
  expect((await findMediaTools({ ffmpegPath: undefined, searchPath: path }, sandbox)).name).toContain('ffmpeg 8.0');
});

test('an older ffmpeg that was asked for is taken, by its folder as by its name', async () => {
  const folder = await ffmpegOf('5.1.9', '59. 37.100');
  for (const ffmpegPath of [folder, join(folder, 'ffmpeg')])
    expect((await findMediaTools({ ffmpegPath, searchPath: '' }, sandbox)).name).toBe(`ffmpeg 5.1.9 at ${join(folder, 'ffmpeg')}`);
});

/** A folder with programs that say of themselves what this version says. */
async function ffmpegOf(version: string, library: string): Promise<string> {
  const folder = join(root, version);
  await mkdir(folder, { recursive: true });
  for (const name of ['ffmpeg', 'ffprobe']) {
    const says = `ffmpeg version ${version} Copyright (c) 2000-2026 the FFmpeg developers\nlibavcodec     ${library} / ${library}\n`;
    await writeFile(join(folder, name), `#!/bin/sh\ncat <<'END'\n${says}END\n`);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}
