/*
 * Pictures that the archive makes itself: the poster of a film without a picture, from its title and a file of letters, as a JPEG (encode-jpeg).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { encodeJpeg } from './encode-jpeg.ts';

const Letters = z.object({
  lineHeight: z.number(),
  letters: z.array(
    z.object({ letter: z.string(), advance: z.number(), left: z.number(), top: z.number(), width: z.number(), height: z.number() }),
  ),
});
type Letter = z.infer<typeof Letters>['letters'][number] & { readonly grey: Buffer };

const width = 640;
const height = 360;
const margin = 40;
/** Below the title: cards show how long the film is there. */
const bottom = 72;
const linesMax = 5;
const quality = 82;
const ground = [0x16, 0x18, 0x1b] as const;
const ink = [0xf2, 0xf0, 0xea] as const;
const mark = [0xff, 0xbf, 0x3a] as const;
const markSize = { width: 44, height: 4 } as const;

let letters: { lineHeight: number; byName: Map<string, Letter> } | undefined;

/** A JPEG that shows a title, for what has no picture of its own. Takes a few milliseconds and no other process. */
export function drawTitlePoster(title: string): Buffer {
  letters ??= loadLetters();
  const pixels = Buffer.alloc(width * height * 4, Buffer.from([...ground, 255]));
  const lines = breakLines(title, letters.byName);
  const top = height - bottom - lines.length * letters.lineHeight;
  drawMark(pixels, top - 18);
  for (const [n, line] of lines.entries()) drawLine(pixels, { line, y: top + n * letters.lineHeight }, letters.byName);
  return encodeJpeg(pixels, { width, height, quality });
}

function loadLetters() {
  const file = gunzipSync(readFileSync(join(import.meta.dirname, 'poster-letters.gz')));
  const headEnd = file.indexOf('\n');
  const head = Letters.parse(JSON.parse(file.toString('utf8', 0, headEnd)));
  let offset = headEnd + 1;
  const byName = new Map<string, Letter>();
  for (const letter of head.letters) {
    const size = letter.width * letter.height;
    byName.set(letter.letter, { ...letter, grey: file.subarray(offset, offset + size) });
    offset += size;
  }
  return { lineHeight: head.lineHeight, byName };
}

/** The title in lines that fit; what does not fit at all ends in an ellipsis. */
function breakLines(title: string, byName: ReadonlyMap<string, Letter>): string[] {
  const words = title.normalize('NFC').split(/\s+/u).filter(Boolean);
  const lines: string[] = [];
  for (const word of words) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer, byName) <= width - 2 * margin) lines[lines.length - 1] = longer;
    else lines.push(cutToFit(word, byName));
  }
  if (lines.length <= linesMax) return lines;
  return [...lines.slice(0, linesMax - 1), cutToFit(`${lines[linesMax - 1]} …`, byName)];
}

function cutToFit(line: string, byName: ReadonlyMap<string, Letter>): string {
  let fitting = [...line];
  while (fitting.length > 1 && widthOf(fitting.join(''), byName) > width - 2 * margin) fitting = [...fitting.slice(0, -2), '…'];
  return fitting.join('');
}

function widthOf(line: string, byName: ReadonlyMap<string, Letter>): number {
  return lettersOf(line, byName).reduce((sum, letter) => sum + letter.advance, 0);
}

/** Letters outside the set are shown without their accents, or left out. */
function lettersOf(line: string, byName: ReadonlyMap<string, Letter>): Letter[] {
  return [...line].flatMap((name) => {
    const letter = byName.get(name) ?? byName.get([...name.normalize('NFD')][0] ?? '');
    return letter ? [letter] : [];
  });
}

function drawLine(pixels: Buffer, at: { line: string; y: number }, byName: ReadonlyMap<string, Letter>): void {
  let x = margin;
  for (const letter of lettersOf(at.line, byName)) {
    for (let row = 0; row < letter.height; row += 1) {
      for (let column = 0; column < letter.width; column += 1) {
        const share = (letter.grey[row * letter.width + column] ?? 0) / 255;
        if (share > 0) blend(pixels, { x: Math.round(x) + letter.left + column, y: at.y + letter.top + row }, share);
      }
    }
    x += letter.advance;
  }
}

function blend(pixels: Buffer, at: { x: number; y: number }, share: number): void {
  if (at.x < 0 || at.x >= width || at.y < 0 || at.y >= height) return;
  const offset = (at.y * width + at.x) * 4;
  for (const [n, colour] of ink.entries()) pixels[offset + n] = Math.round(colour * share + (pixels[offset + n] ?? 0) * (1 - share));
}

function drawMark(pixels: Buffer, top: number): void {
  const row = Buffer.alloc(markSize.width * 4, Buffer.from([...mark, 255]));
  for (let y = top; y < top + markSize.height; y += 1) row.copy(pixels, (y * width + margin) * 4);
}
