import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';

/*
 * Draws the letters that posters made from a title are set in (Newsreader, SIL Open Font License) and writes them as
 * `domain/drawing/poster-letters.gz`: one line of JSON about every letter, then their grey pixels. Run it after a change of typeface.
 */
const sizePx = 40;
const ranges = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x2013, 0x2014],
  [0x2018, 0x201e],
  [0x2026, 0x2026],
];
const letters = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n)));

const font = readFileSync(
  createRequire(import.meta.url).resolve('@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2'),
);
const extended = readFileSync(
  createRequire(import.meta.url).resolve('@fontsource-variable/newsreader/files/newsreader-latin-ext-wght-normal.woff2'),
);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage();
const drawn = await page.evaluate(
  async ({ faces, letters, sizePx }) => {
    for (const [n, face] of faces.entries())
      document.fonts.add(await new FontFace(`letters${n}`, `url(data:font/woff2;base64,${face})`, { weight: '500' }).load());
    const canvas = new OffscreenCanvas(sizePx * 3, sizePx * 2);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error('no canvas');
    context.font = `500 ${sizePx}px letters0, letters1`;
    context.fillStyle = '#fff';
    return letters.map((letter) => {
      context.clearRect(0, 0, canvas.width, canvas.height);
      const left = sizePx;
      context.fillText(letter, left, Math.round(sizePx * 1.2));
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const inked = (x, y) => (data[(y * canvas.width + x) * 4 + 3] ?? 0) > 8;
      let [x0, y0, x1, y1] = [canvas.width, canvas.height, 0, 0];
      for (let y = 0; y < canvas.height; y += 1)
        for (let x = 0; x < canvas.width; x += 1)
          if (inked(x, y)) [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x + 1), Math.max(y1, y + 1)];
      const grey = [];
      for (let y = y0; y < y1; y += 1) for (let x = x0; x < x1; x += 1) grey.push(data[(y * canvas.width + x) * 4 + 3] ?? 0);
      const advance = Math.round(context.measureText(letter).width * 10) / 10;
      return { letter, advance, left: x0 - left, top: y0, width: Math.max(0, x1 - x0), height: Math.max(0, y1 - y0), grey };
    });
  },
  { faces: [font.toString('base64'), extended.toString('base64')], letters, sizePx },
);
await browser.close();
const head = JSON.stringify({ lineHeight: Math.round(sizePx * 1.2), letters: drawn.map(({ grey, ...letter }) => letter) });
const pixels = Buffer.from(drawn.flatMap((letter) => letter.grey));
writeFileSync(
  join(import.meta.dirname, '..', 'domain', 'drawing', 'poster-letters.gz'),
  gzipSync(Buffer.concat([Buffer.from(`${head}\n`), pixels]), { level: 9 }),
);
