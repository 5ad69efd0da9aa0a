import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { installDebianPackage } from '#testing/install-debian-package.ts';
import { makeMedia } from '#testing/media-clips.ts';
import { type SeededRandom, seededRandom } from '#testing/seeded-random.ts';
import type { TrueText } from './score-words.ts';

const [width, height, perSecond] = [1_280, 720, 10];
const perFilm = 25;
const shownSeconds = 3;
const apartSeconds = 4;

/** A face of each of five packages. */
const fonts = {
  'fonts-dejavu-core': 'dejavu/DejaVuSans-Bold.ttf',
  'fonts-liberation': 'liberation/LiberationSerif-Regular.ttf',
  'fonts-freefont-ttf': 'freefont/FreeSans.ttf',
  'fonts-open-sans': 'open-sans/OpenSans-Semibold.ttf',
  'fonts-roboto-unhinted': 'roboto/unhinted/RobotoTTF/Roboto-Medium.ttf',
};
/** Shared clips in which nothing is written. */
const grounds = [
  'flower.mp4',
  'squirrel-vertical-rot.mp4',
  'his-girl-friday-hildy.mp4',
  'apollo15-feather-and-hammer.webm',
  'space-shuttle-from-orbit.webm',
  'popeye-sindbad-2-textsubs.mkv',
  'dog-by-the-fire-rot180.mp4',
  'office-desk-phone.3gp',
];
const colours = ['white', 'white', 'yellow', '0xE0F0FF'];
const bars = ['black', '0x102040', '0x7A1010', '0x000000@0.65', '0x204020@0.8'];

export interface LowerThirdFilm {
  readonly path: string;
  readonly texts: readonly TrueText[];
}

/** Burns texts of the shared set into shared clips, the same for the same seed: half of them on a bar, half on the picture as it moves. */
export async function* filmsWithLowerThirds(
  folder: string,
  { media, texts, seed }: { media: string; texts: number; seed: number },
): AsyncGenerator<LowerThirdFilm> {
  const faces = Object.values(fonts).map((name) => join('/usr/share/fonts/truetype', name));
  if (!faces.every((face) => existsSync(face)) && !installDebianPackage(...Object.keys(fonts))) {
    throw new Error(`The fonts of ${Object.keys(fonts).join(', ')} are not here.`);
  }
  const random = seededRandom(seed);
  const all = lowerThirds(media);
  for (let n = 0; n * perFilm < texts; n++) {
    const path = join(folder, `lower-thirds-${n}.mp4`);
    const chosen = Array.from({ length: Math.min(perFilm, texts - n * perFilm) }, () => random.pick(all) ?? '');
    const ground = join(media, 'videos', grounds[n % grounds.length] ?? '');
    yield { path, texts: await burn(path, { ground, chosen, faces, random }) };
  }
}

const Broadcast = z.object({ ocr: z.array(z.object({ text: z.string() })) });

/** Those of plain letters that are no longer than a picture is wide. */
function lowerThirds(media: string): string[] {
  const lines = gunzipSync(readFileSync(join(media, 'onscreen-open.jsonl.gz')))
    .toString()
    .trim()
    .split('\n');
  const texts = lines.flatMap((line) => Broadcast.parse(JSON.parse(line)).ocr.map(({ text }) => text));
  const isPlain = (text: string) => /^[\x20-\x7e]+$/.test(text) && /[a-z]{3}/i.test(text);
  return [...new Set(texts)].filter((text) => isPlain(text) && linesOf(text).length <= 3 && longestOf(text) <= 70).sort();
}

function linesOf(text: string): string[] {
  return text.split('|').map((line) => line.trim());
}

function longestOf(text: string): number {
  return Math.max(...linesOf(text).map((line) => line.length));
}

interface Burning {
  readonly ground: string;
  readonly chosen: readonly string[];
  readonly faces: readonly string[];
  readonly random: SeededRandom;
}

async function burn(path: string, { ground, chosen, faces, random }: Burning): Promise<TrueText[]> {
  const truth: TrueText[] = [];
  const filters = [`scale=${width}:${height}:force_original_aspect_ratio=increase`, `crop=${width}:${height}`, `fps=${perSecond}`];
  for (const [n, text] of chosen.entries()) {
    const start = Math.round((1 + n * apartSeconds + random.next() * (apartSeconds - shownSeconds)) * perSecond) / perSecond;
    truth.push({ start, end: start + shownSeconds, text });
    const sizePx = Math.min(20 + random.below(29), Math.floor(1_800 / longestOf(text)));
    const [x, y] = [40 + random.below(60), 420 + random.below(120)];
    const enable = `enable='between(t,${start},${start + shownSeconds})'`;
    const isOnBar = random.next() < 0.5;
    const bar = `drawbox=x=${x - 20}:y=${y - 14}:w=iw:h=${linesOf(text).length * sizePx * 1.4 + 20}:color=${random.pick(bars)}:t=fill:${enable}`;
    if (isOnBar) filters.push(bar);
    const look = `fontfile=${random.pick(faces)}:fontsize=${sizePx}:fontcolor=${random.pick(colours)}${isOnBar ? '' : ':borderw=2'}`;
    for (const [line, words] of linesOf(text).entries()) {
      const file = `${path}.${n}.${line}.txt`;
      await writeFile(file, words);
      filters.push(`drawtext=textfile=${file}:expansion=none:${look}:x=${x}:y=${y}+${Math.round(line * sizePx * 1.4)}:${enable}`);
    }
  }
  const seconds = 2 + chosen.length * apartSeconds;
  const encode = ['-an', '-sn', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '20', '-pix_fmt', 'yuv420p'];
  const n = Number(/-(\d+)\.mp4/.exec(path)?.[1]); if (n % 3 === Number(process.env.ONLY)) await makeMedia(['-stream_loop', '-1', '-i', ground, '-t', String(seconds), '-vf', filters.join(','), ...encode, path]);
  return truth;
}
