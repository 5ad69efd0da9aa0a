/*
 * What engines saw and heard comes to shots (here), texts (texts-in-film), people and things (sightings) and lines of speech (spoken-lines): pure functions,
 * without files and processes.
 */
import { z } from 'zod';

/** A film as it is looked at for shots: small grey pictures, so many a second. */
export const greyPictures = { width: 48, height: 27, perSecond: 10 };

/** Of a film, in pictures: from where, and up to where. */
export type Stretch = readonly [from: number, until: number];

/** Where one shot changes into the next. */
export const Change = z.object({
  /** In pictures from the start of the film: where the next shot begins. */
  at: z.number(),
  /** In pictures; 0 for a cut. */
  length: z.number(),
  score: z.number(),
});
export type Change = z.infer<typeof Change>;

const pixels = greyPictures.width * greyPictures.height;
/** Mean difference of two pictures, of 255, from which on one may follow the other by a cut. */
const cutMin = 8;
/** And so many times as much as pictures around it differ: a pan and a waving hand differ all the time. */
const cutTimes = 3.5;
const around = 6;
/** Lengths of dissolves that are looked for, in pictures. */
const dissolves = [6, 8, 10, 13, 16, 20];
const longest = Math.max(...dissolves);
const dissolveMin = 14;
/** How far the pictures within a dissolve may lie off the line between its ends, as a share of it: a short pan is nearly straight as well. */
const offLineMaxFor = (length: number) => (length <= 8 ? 0.22 : 0.35);
const scoreMin = 0.25;
const shortestShot = 6;
/** A flash goes as it came. */
const flashMax = 3;

const bestFirst = (a: Change, b: Change) => b.score - a.score;

/** How many pictures before a stretch, and how many behind it, tell something of the changes in it. */
export const picturesAround = { before: longest + 1, behind: around + 1 };

/**
 * Finds the changes of a stretch of film from its grey pictures in order, with those around it where there are any; pictures are counted
 * from the start of the film. A cut is a difference that stands out among its neighbours and lasts; a dissolve is a stretch whose
 * pictures lie on the straight line from its first to its last one, which motion does not do. A dissolve begins the next shot in its middle.
 */
export class ChangeFinder {
  readonly #first: number;
  /** The latest pictures; picture `n` that was added stands at `n` modulo their number. */
  readonly #pictures: Uint8Array[] = Array.from({ length: longest + 1 }, () => new Uint8Array(pixels));
  /** How much each picture differs from the one before. */
  readonly #differences: number[] = [];
  /** How much each picture differs from the one before a flash that might have ended by now. */
  readonly #lasting: number[] = [];
  readonly #dissolves: { readonly endsAt: number; readonly change: Change }[] = [];

  /** `first`: the number of the picture that is added first. */
  constructor(first: number) {
    this.#first = first;
  }

  add(picture: Uint8Array): void {
    const n = this.#differences.length;
    this.#pictures[n % this.#pictures.length]?.set(picture);
    this.#differences.push(n === 0 ? 0 : differenceBetween(this.#picture(n - 1), this.#picture(n)));
    this.#lasting.push(n <= flashMax ? 0 : differenceBetween(this.#picture(n - flashMax - 1), this.#picture(n)));
    // One at most ends with a picture: a film that changes all the time would leave so many of every length.
    const ending = dissolves.flatMap((length) => (length <= n ? (this.#dissolveAt(n - length, length) ?? []) : []));
    this.#dissolves.push(
      ...ending
        .sort(bestFirst)
        .slice(0, 1)
        .map((change) => ({ endsAt: n, change })),
    );
  }

  /** The changes of a stretch: the cuts in it, and the dissolves that end in it. */
  changes([from, until]: Stretch): Change[] {
    const isIn = (n: number) => this.#first + n >= from && this.#first + n < until;
    const cuts = this.#differences.flatMap((_, n) => (isIn(n) ? (this.#cutAt(n) ?? []) : []));
    const faded = this.#dissolves.flatMap(({ endsAt, change }) => (isIn(endsAt) ? change : []));
    return [...cuts, ...faded].map((change) => ({ ...change, at: this.#first + change.at }));
  }

  #picture(n: number): Uint8Array {
    return this.#pictures[n % this.#pictures.length] ?? new Uint8Array(pixels);
  }

  #cutAt(n: number): Change | undefined {
    const here = this.#differences[n] ?? 0;
    if (here < cutMin) return undefined;
    const before = this.#differences.slice(Math.max(1, n - around), n);
    const after = this.#differences.slice(n + 1, n + 1 + around);
    const usual = medianOf([...before, ...after]) + 0.5;
    const isHighest = [...before.slice(-2), ...after.slice(0, 2)].every((other) => other <= here);
    const isLasting = (this.#lasting[n + flashMax] ?? here) > here / 2;
    return isHighest && isLasting && here >= cutTimes * usual ? { at: n, length: 0, score: here / usual } : undefined;
  }

  #dissolveAt(from: number, length: number): Change | undefined {
    const [first, last] = [this.#picture(from), this.#picture(from + length)];
    const total = differenceBetween(first, last);
    if (total < dissolveMin) return undefined;
    const way = wayBetween(first, last);
    const shares = [0];
    let offLine = 0;
    for (let n = from + 1; n < from + length; n++) {
      const { share, off } = way(this.#picture(n));
      // It goes one way, and in more than one leap.
      if (share < (shares.at(-1) ?? 0) - 0.05 || share - (shares.at(-1) ?? 0) > 0.6) return undefined;
      shares.push(share);
      offLine = Math.max(offLine, off);
    }
    const score = (total * (1 - 2 * offLine)) / 50;
    if (offLine > offLineMaxFor(length) || score < scoreMin || 1 - (shares.at(-1) ?? 0) > 0.6) return undefined;
    return { at: from + middleOf([...shares, 1]), length, score };
  }
}

/** The stretches between those changes of a film, or of a part of it, that hold beside each other: one behind the other. */
export function shotsBetween(changes: readonly Change[], [from, until]: Stretch): Stretch[] {
  const kept = new KeptChanges();
  const [cuts, faded] = [changes.filter(({ length }) => length === 0), changes.filter(({ length }) => length > 0)];
  // A stretch with a cut in it is no dissolve, and of one dissolve many stretches are found.
  for (const change of [...cuts.sort(bestFirst), ...faded.sort(bestFirst)]) kept.keepIfApart(change);
  const starts = kept.all.map(({ at }) => at).filter((at) => at > from && at < until);
  const all = [from, ...starts.sort((a, b) => a - b)];
  return all.map((start, n) => [start, all[n + 1] ?? until]);
}

/** The shots of a film of so many pictures, the first from 0 on: none so short at its ends that it is a remainder. */
export function shotsOf(changes: readonly Change[], pictures: number): Stretch[] {
  const within = changes.filter(({ at }) => at >= shortestShot && at <= pictures - shortestShot);
  return shotsBetween(within, [0, pictures]);
}

/** Changes that are apart from each other, by the stretch of film they lie in: only those of the next stretches can be too near. */
class KeptChanges {
  readonly all: Change[] = [];
  readonly #ofStretch = new Map<number, Change[]>();

  /** Keeps a change that no other one is too near to. */
  keepIfApart(change: Change): void {
    const stretch = Math.floor(change.at / longest);
    const near = [stretch - 1, stretch, stretch + 1].flatMap((of) => this.#ofStretch.get(of) ?? []);
    if (!near.every((other) => areApart(other, change))) return;
    this.all.push(change);
    this.#ofStretch.set(stretch, [...(this.#ofStretch.get(stretch) ?? []), change]);
  }
}

/** Whether both may be in a film; always when they are as far from each other as the longest dissolve. */
function areApart(one: Change, other: Change): boolean {
  return Math.abs(one.at - other.at) >= Math.max(shortestShot, (one.length + other.length) / 2);
}

/** Where the shares pass one half. */
function middleOf(shares: readonly number[]): number {
  const after = shares.findIndex((share) => share >= 0.5);
  const [low, high] = [shares[after - 1] ?? 0, shares[after] ?? 1];
  return after - 1 + (0.5 - low) / (high - low);
}

/** How far on the line from one picture to another a third one lies, as a share of it, and how far off. */
function wayBetween(first: Uint8Array, last: Uint8Array): (picture: Uint8Array) => { share: number; off: number } {
  let lengthSquared = 0;
  for (let n = 0; n < pixels; n++) lengthSquared += ((last[n] ?? 0) - (first[n] ?? 0)) ** 2;
  return (picture) => {
    let along = 0;
    let distanceSquared = 0;
    for (let n = 0; n < pixels; n++) {
      const [start, here] = [first[n] ?? 0, picture[n] ?? 0];
      along += (here - start) * ((last[n] ?? 0) - start);
      distanceSquared += (here - start) ** 2;
    }
    const share = along / lengthSquared;
    return { share, off: Math.sqrt(Math.max(0, distanceSquared / lengthSquared - share ** 2)) };
  };
}

/** Mean absolute difference. */
function differenceBetween(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let n = 0; n < pixels; n++) sum += Math.abs((a[n] ?? 0) - (b[n] ?? 0));
  return sum / pixels;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
