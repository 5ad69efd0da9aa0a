import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ffmpegPath, makeMedia } from '#testing/media-clips.ts';
import { seededRandom } from '#testing/seeded-random.ts';

const [width, height, perSecond] = [160, 90, 25];
const pictureBytes = (width * height * 3) / 2;
const run = promisify(execFile);

/** Clips of the shared footage and the seconds of each that are one shot. */
const oneShot: readonly (readonly [file: string, from: number, to: number])[] = [
  ['apollo15-feather-and-hammer.webm', 0, 47],
  ['dog-by-the-fire-rot180.mp4', 0, 2.4],
  ['eth-lecture-xquery.mov', 0, 10],
  ['flower.mp4', 0, 5],
  ['his-girl-friday-hildy.mp4', 0, 6],
  ['jfk-inaugural-ask-not.mp4', 0, 11],
  ['office-desk-phone.3gp', 0, 5],
  ['space-shuttle-from-orbit.webm', 0, 10.5],
  ['squirrel-vertical-rot.mp4', 0, 6],
  ['popeye-sindbad-1-pgs.mkv', 28, 39.5],
  ['popcorn.ogv', 42, 53.5],
  ['eth-slides-climate.mov', 0, 11.5],
  ['big-buck-bunny-opening.webm', 18.2, 22.8],
];

/**
 * Joins seeded pieces of shared clips into a film at `path`, by cuts and by dissolves of half a second to 1.2 seconds, and tells where
 * each next piece begins, in seconds; of a dissolve its middle.
 */
export async function joinClips(path: string, { media, joints, seed }: { media: string; joints: number; seed: number }): Promise<number[]> {
  const random = seededRandom(seed);
  const clips = await Promise.all(oneShot.map((clip) => picturesOf(media, clip)));
  const film: Buffer[] = [];
  const truth: number[] = [];
  for (let n = 0, before = -1; n <= joints; n++) {
    const clip = (before + 1 + random.below(clips.length - 1)) % clips.length;
    before = clip;
    const pictures = clips[clip] ?? [];
    const length = Math.min(pictures.length, 45 + random.below(100));
    const from = random.below(pictures.length - length + 1);
    const piece = pictures.slice(from, from + length);
    const mixed = n > 0 && random.next() < 0.5 ? 12 + random.below(18) : 0;
    if (n > 0) truth.push((film.length - mixed / 2) / perSecond);
    const begin = film.length - mixed;
    for (let k = 0; k < mixed; k++) film[begin + k] = mix(film[begin + k], piece[k], (k + 1) / (mixed + 1));
    film.push(...piece.slice(mixed));
  }
  const raw = `${path}.yuv`;
  await writeFile(raw, Buffer.concat(film));
  const picture = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-r', String(perSecond)];
  await makeMedia([...picture, '-i', raw, '-c:v', 'libx264', '-crf', '24', path]);
  return truth;
}

async function picturesOf(media: string, [file, from, to]: (typeof oneShot)[number]): Promise<Buffer[]> {
  const scale = `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1,fps=${perSecond},format=yuv420p`;
  const args = ['-v', 'error', '-ss', String(from), '-t', String(to - from), '-i', join(media, 'videos', file), '-vf', scale];
  const { stdout } = await run(ffmpegPath, [...args, '-an', '-sn', '-f', 'rawvideo', '-'], { encoding: 'buffer', maxBuffer: 2 ** 30 });
  return Array.from({ length: Math.floor(stdout.length / pictureBytes) }, (_, n) =>
    stdout.subarray(n * pictureBytes, (n + 1) * pictureBytes),
  );
}

function mix(before: Buffer | undefined, after: Buffer | undefined, share: number): Buffer {
  const mixed = Buffer.alloc(pictureBytes);
  for (let n = 0; n < pictureBytes; n++) mixed[n] = Math.round((before?.[n] ?? 0) * (1 - share) + (after?.[n] ?? 0) * share);
  return mixed;
}
