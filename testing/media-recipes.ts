import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crc32, createGzip, deflateSync } from 'node:zlib';
import { z } from 'zod';
import { makeMedia } from './media-clips.ts';

const Step = z.union([
  z.object({ ffmpeg: z.array(z.string()) }),
  z.object({ text: z.string(), to: z.string().optional() }),
  z.object({ base64: z.string() }),
  z.object({ truncatePercent: z.number() }),
  z.object({ flipBytes: z.number(), seed: z.number() }),
  z.object({ concatBytes: z.array(z.string()) }),
  z.object({ gzipZeros: z.number() }),
  z.object({ randomBytes: z.number(), seed: z.number() }),
  z.object({ patchMvhdDuration: z.number() }),
  z.object({ zeroFromAtom: z.string() }),
  z.object({ pngFrame: z.tuple([z.number(), z.number()]) }),
]);
type Step = z.infer<typeof Step>;

/** An entry of `media.json`: how to build a file, and what has to become of it. */
export const MediaRecipe = z.object({
  id: z.string(),
  name: z.string(),
  build: z.array(Step),
  expect: z.enum(['processed', 'rejected', 'processed-or-rejected']),
  code: z.string().optional(),
});
export type MediaRecipe = z.infer<typeof MediaRecipe>;

export interface Surroundings {
  /** Scratch folder; the file is built in a folder of its own below it. */
  readonly folder: string;
  readonly canaryPort: number;
  /** Another stored video, which no hostile file may reach. */
  readonly victim: string;
}

/** Builds the file of a recipe and returns its path. */
export async function buildMedia(recipe: MediaRecipe, around: Surroundings): Promise<string> {
  const folder = join(around.folder, recipe.id);
  await mkdir(folder, { recursive: true });
  const out = join(folder, recipe.name);
  const victimName = around.victim.split('/').at(-1) ?? '';
  const fill = (text: string) =>
    text
      .replaceAll('$OUT', out)
      .replaceAll('$DIR', folder)
      .replaceAll('{CANARY}', String(around.canaryPort))
      .replaceAll('{VICTIM_ABS}', around.victim)
      .replaceAll('{VICTIM_REL}', `../${victimName}`)
      .replaceAll('{VICTIM_DIR}', around.folder)
      .replaceAll('{VICTIM_NAME}', victimName);
  for (const step of recipe.build) await apply(step, { out, folder, fill });
  return out;
}

async function apply(step: Step, at: { out: string; folder: string; fill: (text: string) => string }): Promise<void> {
  const { out, fill } = at;
  const change = async (edit: (bytes: Buffer) => void) => {
    const bytes = await readFile(out);
    edit(bytes);
    await writeFile(out, bytes);
  };
  if ('ffmpeg' in step) await makeMedia(step.ffmpeg.map(fill));
  else if ('text' in step) await writeFile(step.to ? fill(step.to) : out, fill(step.text));
  else if ('base64' in step) await writeFile(out, Buffer.from(step.base64, 'base64'));
  else if ('truncatePercent' in step) await truncate(out, Math.floor(((await readFile(out)).length * step.truncatePercent) / 100));
  else if ('flipBytes' in step) await change((bytes) => flipBytes(bytes, step));
  else if ('concatBytes' in step)
    await writeFile(out, Buffer.concat(await Promise.all(step.concatBytes.map((path) => readFile(fill(path))))));
  else if ('gzipZeros' in step) await pipeline(zeros(step.gzipZeros), createGzip(), createWriteStream(out));
  else if ('randomBytes' in step) await writeFile(out, randomBytes(step.randomBytes));
  else if ('patchMvhdDuration' in step) await change((bytes) => bytes.writeUInt32BE(step.patchMvhdDuration, bytes.indexOf('mvhd') + 20));
  else if ('zeroFromAtom' in step) await change((bytes) => bytes.fill(0, bytes.indexOf(step.zeroFromAtom) + 4));
  else await buildPngFilm(step.pngFrame, at);
}

/** Flips bits of some bytes after the first 64, the same ones for the same seed. */
function flipBytes(bytes: Buffer, options: { flipBytes: number; seed: number }): void {
  let state = options.seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state;
  };
  for (let n = 0; n < options.flipBytes; n += 1) {
    const at = 64 + (next() % (bytes.length - 64));
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (next() % 8));
  }
}

function* zeros(size: number): Generator<Buffer> {
  const chunk = Buffer.alloc(1_000_000);
  for (let left = size; left > 0; left -= chunk.length) yield chunk.subarray(0, Math.min(left, chunk.length));
}

/** One black frame of any size: almost nothing on disk, a great deal in memory. */
async function buildPngFilm([width, height]: readonly [number, number], at: { out: string; folder: string }): Promise<void> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((width * 3 + 1) * height), { level: 9 });
  const png = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  const path = join(at.folder, 'frame.png');
  await writeFile(path, png);
  await makeMedia(['-f', 'png_pipe', '-i', path, '-c', 'copy', '-f', 'matroska', at.out]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
