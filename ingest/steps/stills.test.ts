import jpeg from 'jpeg-js';
import { expect, test } from 'vitest';
import { choosePoster } from './stills.ts';

/** A picture whose light at a point is what `light` says. */
function picture(light: (x: number, y: number) => number): Buffer {
  const [width, height] = [96, 54];
  const data = Buffer.alloc(width * height * 4, 255);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) data.fill(light(x, y), (y * width + x) * 4, (y * width + x) * 4 + 3);
  return Buffer.from(jpeg.encode({ data, width, height }, 80).data);
}

const black = picture(() => 4);
const white = picture(() => 250);
const grey = picture(() => 120);
const blurred = picture((x) => 60 + x);
const sharp = picture((x, y) => (x % 12 < 6 === y % 12 < 6 ? 60 : 190));
const darkDetail = picture((x, y) => (x % 12 < 6 === y % 12 < 6 ? 0 : 24));

test('a poster is neither black nor white nor empty, and the sharper of two pictures', () => {
  expect(choosePoster([black, grey, white, blurred])).toBe(3);
  expect(choosePoster([black, blurred, sharp, white])).toBe(2);
  expect(choosePoster([darkDetail, blurred])).toBe(1);
});

test('of equal pictures the earliest is taken, and of black ones still one', () => {
  expect(choosePoster([sharp, sharp, sharp])).toBe(0);
  expect(choosePoster([black])).toBe(0);
});
