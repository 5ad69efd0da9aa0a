import { expect, test } from 'vitest';
import { type Change, ChangeFinder, greyPictures, picturesAround, type Stretch, shotsOf } from './find-shots.ts';

const pixels = greyPictures.width * greyPictures.height;

/** Numbers from 0 to 255 that are the same each time. */
function noise(seed: number): Uint8Array {
  let state = seed * 2_654_435_761;
  return Uint8Array.from({ length: pixels }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

/** Scenes of 37 pictures; by turns the next one comes by a cut and by a dissolve of sixteen pictures. */
function film(pictures: number): Uint8Array[] {
  const scene = 37;
  return Array.from({ length: pictures }, (_, n) => {
    const number = Math.floor(n / scene);
    const [here, next] = [noise(number + 1), noise(number + 2)];
    const left = scene - (n % scene);
    const share = number % 2 === 1 && left <= 16 ? (17 - left) / 17 : 0;
    return here.map((value, pixel) => value + share * ((next[pixel] ?? 0) - value));
  });
}

function changesOf(pictures: readonly Uint8Array[], { from, until, first }: { from: number; until: number; first: number }): Change[] {
  const finder = new ChangeFinder(first);
  for (const picture of pictures.slice(first, until + picturesAround.behind)) finder.add(picture);
  return finder.changes([from, until]);
}

function inThousandths(shots: readonly Stretch[]): number[][] {
  return shots.map((shot) => shot.map((picture) => Math.round(picture * 1_000)));
}

test('a film that is looked at in stretches has the changes that it has as a whole, cuts and dissolves at their borders among them', () => {
  const pictures = film(700);
  const whole = changesOf(pictures, { from: 0, until: pictures.length, first: 0 });
  const shots = shotsOf(whole, pictures.length);
  expect(shots.length).toBe(Math.ceil(700 / 37));
  expect(new Set(whole.map(({ length }) => length > 0))).toEqual(new Set([false, true]));
  for (const stretch of [30, 37, 41, 100]) {
    const found: Change[] = [];
    for (let from = 0; from < pictures.length; from += stretch) {
      const until = Math.min(from + stretch, pictures.length);
      found.push(...changesOf(pictures, { from, until, first: Math.max(0, from - picturesAround.before) }));
    }
    expect(inThousandths(shotsOf(found, pictures.length))).toEqual(inThousandths(shots));
  }
});
