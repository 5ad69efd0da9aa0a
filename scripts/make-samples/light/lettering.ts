import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Colour } from './colour.ts';
import type { Picture } from './picture.ts';

export type Typeface = 'sans' | 'mono' | 'serif';
type Letters = { width: number; height: number; cover: Uint8Array };
/** `anchor` is the place of the text along u: its left edge, middle or right edge; v is its middle line. */
export type Placing = { u: number; v: number; size: number; anchor?: 'left' | 'middle' | 'right'; cover?: number };

const families: Record<Typeface, string> = { sans: 'instrument-sans', mono: 'martian-mono', serif: 'newsreader' };
const drawn = new Map<string, Letters>();

/** Writes text into the picture. `size` is the height of the type in heights of the picture. */
export function write(picture: Picture, text: { words: string; face: Typeface; light: Colour }, at: Placing): void {
  const sizePx = Math.max(6, Math.round(at.size * picture.height));
  const letters = drawLetters(text.words, text.face, sizePx);
  const shift = at.anchor === 'middle' ? letters.width / 2 : at.anchor === 'right' ? letters.width : 0;
  const left = Math.round(at.u * picture.height - shift);
  const top = Math.round(at.v * picture.height - letters.height / 2);
  for (let y = Math.max(0, -top); y < Math.min(letters.height, picture.height - top); y++) {
    for (let x = Math.max(0, -left); x < Math.min(letters.width, picture.width - left); x++) {
      const share = ((letters.cover[y * letters.width + x] ?? 0) / 255) * (at.cover ?? 1);
      if (share === 0) continue;
      const to = ((top + y) * picture.width + left + x) * 3;
      picture.light[to] = (picture.light[to] ?? 0) * (1 - share) + text.light.r * share;
      picture.light[to + 1] = (picture.light[to + 1] ?? 0) * (1 - share) + text.light.g * share;
      picture.light[to + 2] = (picture.light[to + 2] ?? 0) * (1 - share) + text.light.b * share;
    }
  }
}

/** The width of a text, in heights of the picture. */
export function measure(picture: Picture, text: { words: string; face: Typeface }, size: number): number {
  return drawLetters(text.words, text.face, Math.max(6, Math.round(size * picture.height))).width / picture.height;
}

function drawLetters(words: string, face: Typeface, sizePx: number): Letters {
  const key = `${face} ${sizePx} ${words}`;
  const known = drawn.get(key);
  if (known) return known;
  const letters = cropSides(rasterise(words, face, sizePx));
  drawn.set(key, letters);
  return letters;
}

function rasterise(words: string, face: Typeface, sizePx: number): Letters {
  const width = Math.ceil(words.length * sizePx * 0.95) + sizePx * 2;
  const height = Math.ceil(sizePx * 1.5);
  const family = families[face];
  const file = fileURLToPath(
    new URL(`../../../node_modules/@fontsource-variable/${family}/files/${family}-latin-wght-normal.woff2`, import.meta.url),
  );
  const escaped = words.replace(/[\\':%,;]/g, (sign) => `\\\\\\${sign}`);
  const text = `drawtext=fontfile=${file}:text=${escaped}:expansion=none:fontcolor=white:fontsize=${sizePx}:x=${sizePx}:y=(h-text_h)/2`;
  const cover = execFileSync(
    'ffmpeg',
    [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      `color=black:s=${width}x${height},format=rgb24`,
      '-vf',
      text,
      '-frames:v',
      '1',
      '-pix_fmt',
      'gray',
      '-f',
      'rawvideo',
      '-',
    ],
    { maxBuffer: 1 << 26 },
  );
  return { width, height, cover };
}

function cropSides(letters: Letters): Letters {
  let first = letters.width;
  let last = 0;
  for (let i = 0; i < letters.cover.length; i++) {
    if ((letters.cover[i] ?? 0) < 8) continue;
    const x = i % letters.width;
    first = Math.min(first, x);
    last = Math.max(last, x);
  }
  const width = Math.max(1, last - first + 1);
  const cover = new Uint8Array(width * letters.height);
  for (let y = 0; y < letters.height; y++) {
    cover.set(letters.cover.subarray(y * letters.width + first, y * letters.width + first + width), y * width);
  }
  return { width, height: letters.height, cover };
}
