import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflate } from 'node:zlib';
import { makeMedia } from '../media-clips.ts';

/** A small file that wants a great deal of memory. */
export interface Bomb {
  readonly name: string;
  readonly build: (path: string, folder: string) => Promise<void>;
  /** Why it is refused, where that is the same on every machine. */
  readonly refused?: string;
}

const [large, fitting] = [
  { width: 16_000, height: 16_000 },
  // Just within what is taken: FFmpeg counts an edge of 128 pixels as well.
  { width: 5_800, height: 5_900 },
];

/** Those that `npm test` takes come first; the others take minutes. */
export const bombs: readonly Bomb[] = [
  {
    name: 'three tracks of 256 million pixels that claim to be small.mkv',
    build: async (path) => await pngFilm(path, large, 3),
    refused: 'dimensions_too_large',
  },
  { name: 'a JPEG of four billion pixels that claims to be small.mkv', build: hugeJpegFilm, refused: 'unreadable_media' },
  { name: 'six tracks.mkv', build: async (path) => await pngFilm(path, { width: 4_000, height: 4_000 }, 6), refused: 'too_many_streams' },
  {
    name: 'one track of 256 million pixels that claims to be small.mkv',
    build: async (path) => await pngFilm(path, large, 1),
    refused: 'dimensions_too_large',
  },
  { name: 'four tracks just within the limits.mkv', build: async (path) => await pngFilm(path, fitting, 4) },
  { name: 'ten covers just within the limits.mkv', build: manyCovers },
  {
    name: '256 million pixels that say so.mp4',
    build: async (path, folder) => await pngInMp4(path, folder),
    refused: 'dimensions_too_large',
  },
  { name: 'pixels a thousand times as wide as high.mp4', build: async (path) => await encoded(path, ['-vf', 'setsar=1000/1']) },
  { name: 'pixels a thousand times as high as wide.mp4', build: async (path) => await encoded(path, ['-vf', 'setsar=1/1000']) },
  {
    name: 'sixteen of the largest pictures at once.mp4',
    build: async (path) => await encoded(path, ['-vf', 'scale=8192:4390', '-refs', '16']),
  },
  { name: 'the widest picture that is taken.mkv', build: async (path) => await encoded(path, ['-vf', 'scale=16000:2200']) },
  { name: 'thirty thousand channels.wav', build: manyChannels, refused: 'unreadable_media' },
];

async function encoded(path: string, args: readonly string[]): Promise<void> {
  const picture = ['-f', 'lavfi', '-i', 'testsrc=s=320x180:r=10:d=2'];
  await makeMedia([...picture, ...args, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', path]);
}

async function pngFilm(path: string, size: { width: number; height: number }, tracks: number): Promise<void> {
  await writeFile(path, matroska(await png(size), { fourcc: 'MPNG', tracks }));
}

/** A small JPEG whose head says otherwise. */
async function hugeJpegFilm(path: string, folder: string): Promise<void> {
  const picture = join(folder, 'small.jpg');
  await makeMedia(['-f', 'lavfi', '-i', 'color=s=64x64', '-frames:v', '1', picture]);
  const jpeg = await readFile(picture);
  const frameHead = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  jpeg.writeUInt16BE(65_000, frameHead + 5);
  jpeg.writeUInt16BE(65_000, frameHead + 7);
  await writeFile(path, matroska(jpeg, { fourcc: 'MJPG', tracks: 1 }));
}

async function manyCovers(path: string, folder: string): Promise<void> {
  const cover = join(folder, 'cover.png');
  await writeFile(cover, await png(fitting));
  const clip = ['-f', 'lavfi', '-i', 'testsrc=s=320x180:r=10:d=2', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'];
  const covers = Array.from({ length: 10 }, (_, n) => ['-attach', cover, `-metadata:s:t:${n}`, 'mimetype=image/png']);
  await makeMedia([...clip, ...covers.flat(), path]);
}

async function pngInMp4(path: string, folder: string): Promise<void> {
  const picture = join(folder, 'frame.png');
  await writeFile(picture, await png(large));
  await makeMedia(['-f', 'png_pipe', '-i', picture, '-c', 'copy', path]);
}

async function manyChannels(path: string): Promise<void> {
  const [channels, samples] = [30_000, 200];
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + channels * 2 * samples, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(100, 24);
  head.writeUInt32LE(100 * channels * 2, 28);
  head.writeUInt16LE((channels * 2) & 0xffff, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(channels * 2 * samples, 40);
  await writeFile(path, Buffer.concat([head, Buffer.alloc(channels * 2 * samples)]));
}

/** One transparent picture with 16 bits a colour: eight bytes a pixel in memory, almost none on disk. */
async function png({ width, height }: { width: number; height: number }): Promise<Buffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([16, 6, 0, 0, 0], 8);
  const row = Buffer.alloc(1 + width * 8);
  const packed: Buffer[] = [];
  await pipeline(
    function* rows() {
      for (let n = 0; n < height; n += 1) yield row;
    },
    createDeflate({ level: 1 }),
    async (chunks) => {
      for await (const chunk of chunks) packed.push(chunk as Buffer);
    },
  );
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunkOf('IHDR', head), chunkOf('IDAT', Buffer.concat(packed)), chunkOf('IEND', Buffer.alloc(0))]);
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A film with the same one picture in every track; its head says 320 × 180, whatever the picture is. */
function matroska(picture: Buffer, { fourcc, tracks }: { fourcc: string; tracks: number }): Buffer {
  const bitmap = Buffer.alloc(40);
  bitmap.writeUInt32LE(40, 0);
  bitmap.writeInt32LE(320, 4);
  bitmap.writeInt32LE(180, 8);
  bitmap.writeUInt16LE(1, 12);
  bitmap.writeUInt16LE(24, 14);
  bitmap.write(fourcc, 16, 'latin1');
  const numbers = Array.from({ length: tracks }, (_, n) => n + 1);
  const size = element('e0', element('b0', Buffer.from([1, 64])), element('ba', Buffer.from([180])));
  const track = (n: number) =>
    element(
      'ae',
      ...[element('d7', Buffer.from([n])), element('73c5', Buffer.from([n])), element('83', Buffer.from([1]))],
      ...[element('86', Buffer.from('V_MS/VFW/FOURCC')), element('63a2', bitmap), size],
    );
  const block = (n: number) => element('a3', Buffer.from([0x80 | n, 0, 0, 0x80]), picture);
  const head = element('1a45dfa3', element('4282', Buffer.from('matroska')), element('4287', Buffer.from([4])));
  const info = element('1549a966', element('2ad7b1', Buffer.from([15, 66, 64])));
  const cluster = element('1f43b675', element('e7', Buffer.from([0])), ...numbers.map(block));
  return Buffer.concat([head, element('18538067', info, element('1654ae6b', ...numbers.map(track)), cluster)]);
}

function element(id: string, ...parts: Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(data.length) | (1n << 56n));
  return Buffer.concat([Buffer.from(id, 'hex'), size, data]);
}
