import jpeg from 'jpeg-js';
import { expect, test } from 'vitest';
import { seededRandom } from '#testing/seeded-random.ts';
import { encodeJpeg } from './encode-jpeg.ts';
import { drawTitlePoster } from './title-poster.ts';

/** The furthest that any colour of any pixel is from what was drawn. */
function furthest(pixels: Buffer, { width, height, quality }: { width: number; height: number; quality: number }): number {
  const read = jpeg.decode(encodeJpeg(pixels, { width, height, quality }), { useTArray: true });
  expect([read.width, read.height]).toEqual([width, height]);
  return pixels.reduce((most, value, n) => Math.max(most, n % 4 === 3 ? 0 : Math.abs(value - (read.data[n] ?? 0))), 0);
}

test('a plain picture comes back in its colour', () => {
  const pixels = Buffer.alloc(64 * 32 * 4, Buffer.from([200, 30, 90, 255]));
  expect(furthest(pixels, { width: 64, height: 32, quality: 100 })).toBeLessThanOrEqual(2);
});

test('any picture at all comes back as it was drawn, as near as its quality tells', () => {
  const random = seededRandom(3);
  for (let n = 0; n < 20; n++) {
    const [width, height] = [8 * (1 + random.below(6)), 8 * (1 + random.below(6))];
    const noise = Buffer.from(Array.from({ length: width * height * 4 }, () => random.below(256)));
    expect(furthest(noise, { width, height, quality: 100 })).toBeLessThanOrEqual(5);
    const smooth = Buffer.from(Array.from({ length: width * height * 4 }, (_, at) => (at % (width * 4)) + n));
    expect(furthest(smooth, { width, height, quality: 90 })).toBeLessThanOrEqual(20);
  }
});

test('a picture that cannot be cut into squares of 8 is refused', () => {
  expect(() => encodeJpeg(Buffer.alloc(9 * 8 * 4), { width: 9, height: 8, quality: 80 })).toThrow('9 by 8');
});

test('a poster shows its title in light letters on a dark ground, in its lower half, and leaves room for the length of the film', () => {
  const { width, height, data } = jpeg.decode(drawTitlePoster('Harbour at dawn, 1962'), { useTArray: true });
  expect([width, height]).toEqual([640, 360]);
  const light = Array.from({ length: height }, (_, y) => y).filter((y) => {
    const row = data.subarray(y * width * 4, (y + 1) * width * 4);
    return row.some((value, n) => n % 4 !== 3 && value > 200);
  });
  expect(light.length).toBeGreaterThan(15);
  expect(Math.min(...light)).toBeGreaterThan(height / 2);
  expect(Math.max(...light)).toBeLessThan(height - 60);
  expect([...data.subarray(0, 3)].every((value) => value < 40)).toBe(true);
});
