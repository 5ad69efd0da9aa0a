import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFramePack } from '#domain/files/frame-pack.ts';
import { type Engine, EngineUsed, engineUsed } from '../engines/engine.ts';
import { fitInto, uprightSize } from '../media/geometry.ts';
import { originalInput } from '../original-input.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { requireWhole } from '../whole-output.ts';
import { probe } from './probe.ts';
import { drawn, frameBox } from './stills.ts';

const ShotsResult = EngineUsed.extend({ shots: z.number().int() });
type ShotsResult = z.infer<typeof ShotsResult>;

/** What tells one shot from the next. */
export const shotFinderEngine: Engine = {
  name: 'Shots in small pictures',
  version: '1',
  licence: 'Apache-2.0',
  source: 'Rushes',
  goodAt: 'Cuts, and dissolves of up to two seconds: of sixty it tells 59 within a fifth of a second, and none where there is none.',
  models: [],
};

// To decode takes as long as it did for the stills.
const timeoutFactor = 4;

/** Finds where the film changes from one shot to the next, and draws a still of each shot. */
export const shots: Step<ShotsResult> = {
  ...{ name: 'shots', version: 2, needs: [probe], optional: true, class: 'understood', share: 8 },
  Result: ShotsResult,
  run: findShots,
};

async function findShots(context: StepContext): Promise<StepOutcome<ShotsResult>> {
  const { description, durationInSeconds } = context.resultOf(probe);
  const { video, startSeconds } = description;
  if (!video) {
    await context.store.remove(context.video.keys.shotPack, 'There is no picture any more.');
    return { is: 'skipped', reason: 'There is no picture.', layers: [] };
  }
  const path = join(context.workFolder, 'grey.raw');
  const folder = join(context.workFolder, 'stills');
  await mkdir(folder);
  const { width, height, perSecond } = greyPictures;
  const stills = { everySeconds: stillEvery / perSecond, ...fitInto(uprightSize(video), frameBox), folder };
  const input = originalInput(context, { durationInSeconds, factor: timeoutFactor });
  const from = { stream: video.index, rotation: video.rotation, deinterlace: video.interlaced, startSeconds };
  await context.tools.drawGrey(input, { ...from, everySeconds: 1 / perSecond, width, height, path, stills });
  const finder = new ShotFinder();
  for await (const picture of picturesOf(path, width * height)) finder.add(picture);
  const found = finder.shots();
  const startsMs = found.map(([from]) => msOf(from));
  const stillsMs = await keepStills(context, folder, found);
  const result = { shots: startsMs.length, ...engineUsed(shotFinderEngine) };
  return { is: 'done', result, layers: [{ name: 'shots', startsMs, stillsMs }] };
}

/** Pictures from one still that is drawn to the next: every shot holds two at least. */
const stillEvery = 3;
/** Of more shots than these the longer ones have no still of their own: two-second frames stand in them. */
const stillsMax = 2_000;

/** Puts the still that was drawn nearest to the middle of each shot into the store; returns where each stands, in milliseconds. */
async function keepStills(context: StepContext, folder: string, found: readonly Stretch[]): Promise<(number | null)[]> {
  const paths = await drawn(folder, 'still-');
  const withStill = new Set(found.toSorted((a, b) => lengthOf(a) - lengthOf(b)).slice(0, stillsMax));
  const numbers = found.map((shot) => (withStill.has(shot) ? stillIn(shot, paths.length) : null));
  const kept = numbers.flatMap((n) => (n === null ? [] : { path: paths[n] ?? '', atMs: msOf(n * stillEvery) }));
  const key = context.video.keys.shotPack;
  if (kept.length === 0) await context.store.remove(key, 'No still of a shot could be drawn.');
  else {
    const [pack, files] = [join(context.workFolder, 'shots.pack'), kept.map((still) => still.path)];
    await requireWhole(files, context.workFolder);
    await writeFramePack(
      pack,
      files,
      kept.map(({ atMs }) => atMs),
    );
    await context.store.put(key, { path: pack });
  }
  return numbers.map((n) => (n === null ? null : msOf(n * stillEvery)));
}

/** The still within a shot that is nearest to its middle, by its number; null where none was drawn there. */
function stillIn([from, until]: Stretch, count: number): number | null {
  const n = Math.min(Math.round((from + until) / 2 / stillEvery), count - 1);
  const at = n * stillEvery;
  return n >= 0 && at >= from && at < until ? n : null;
}

/** Of a film, in pictures: from where, and up to where. */
type Stretch = readonly [from: number, until: number];

function lengthOf([from, until]: Stretch): number {
  return until - from;
}

function msOf(picture: number): number {
  return Math.round((picture / greyPictures.perSecond) * 1_000);
}

/** Pieces of this length, in order; what is left over at the end is dropped. Others get a word in between. */
async function* picturesOf(path: string, bytes: number): AsyncGenerator<Uint8Array> {
  let left: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 64 * bytes })) {
    const all: Buffer = Buffer.concat([left, chunk]);
    const whole = all.length - (all.length % bytes);
    for (let at = 0; at < whole; at += bytes) yield all.subarray(at, at + bytes);
    left = all.subarray(whole);
  }
}

/** A film as it is looked at for shots: small grey pictures, so many a second. */
const greyPictures = { width: 48, height: 27, perSecond: 10 };

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
const offLineMax = (length: number) => (length <= 8 ? 0.22 : 0.35);
const scoreMin = 0.25;
const shortestShot = 6;
/** A flash goes as it came. */
const flashMax = 3;

interface Change {
  /** In pictures from the start. */
  readonly at: number;
  /** In pictures; 0 for a cut. */
  readonly length: number;
  readonly score: number;
}

const bestFirst = (a: Change, b: Change) => b.score - a.score;

/**
 * Finds shots, in pictures, the first from 0 on, from the grey pictures of a film in order. A cut is a difference that stands out
 * among its neighbours and lasts; a dissolve is a stretch whose pictures lie on the straight line from its first to its last one, which
 * motion does not do. A dissolve begins the next shot in its middle.
 */
class ShotFinder {
  /** The latest pictures; picture `n` stands at `n` modulo their number. */
  readonly #pictures: Uint8Array[] = Array.from({ length: longest + 1 }, () => new Uint8Array(pixels));
  /** How much each picture differs from the one before. */
  readonly #differences: number[] = [];
  /** How much each picture differs from the one before a flash that might have ended by now. */
  readonly #lasting: number[] = [];
  readonly #dissolves: Change[] = [];

  add(picture: Uint8Array): void {
    const n = this.#differences.length;
    this.#pictures[n % this.#pictures.length]?.set(picture);
    this.#differences.push(n === 0 ? 0 : difference(this.#picture(n - 1), this.#picture(n)));
    this.#lasting.push(n <= flashMax ? 0 : difference(this.#picture(n - flashMax - 1), this.#picture(n)));
    // One at most ends with a picture: a film that changes all the time would leave so many of every length.
    const ending = dissolves.flatMap((length) => (length <= n ? (this.#dissolveAt(n - length, length) ?? []) : []));
    this.#dissolves.push(...ending.sort(bestFirst).slice(0, 1));
  }

  /** Every shot, one behind the other. */
  shots(): Stretch[] {
    const cuts = this.#differences.flatMap((_, n) => this.#cutAt(n) ?? []).sort(bestFirst);
    const kept = new KeptChanges();
    // A stretch with a cut in it is no dissolve, and of one dissolve many stretches are found.
    for (const change of [...cuts, ...this.#dissolves.toSorted(bestFirst)]) kept.keepIfApart(change);
    const end = this.#differences.length;
    const starts = kept.all.map(({ at }) => at).filter((at) => at >= shortestShot && at <= end - shortestShot);
    const all = [0, ...starts.sort((a, b) => a - b)];
    return all.map((from, n) => [from, all[n + 1] ?? end]);
  }

  #picture(n: number): Uint8Array {
    return this.#pictures[n % this.#pictures.length] ?? new Uint8Array(pixels);
  }

  #cutAt(n: number): Change | undefined {
    const here = this.#differences[n] ?? 0;
    if (here < cutMin) return undefined;
    const before = this.#differences.slice(Math.max(1, n - around), n);
    const after = this.#differences.slice(n + 1, n + 1 + around);
    const usual = median([...before, ...after]) + 0.5;
    const isHighest = [...before.slice(-2), ...after.slice(0, 2)].every((other) => other <= here);
    const isLasting = (this.#lasting[n + flashMax] ?? here) > here / 2;
    return isHighest && isLasting && here >= cutTimes * usual ? { at: n, length: 0, score: here / usual } : undefined;
  }

  #dissolveAt(from: number, length: number): Change | undefined {
    const [first, last] = [this.#picture(from), this.#picture(from + length)];
    const total = difference(first, last);
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
    if (offLine > offLineMax(length) || score < scoreMin || 1 - (shares.at(-1) ?? 0) > 0.6) return undefined;
    return { at: from + middleOf([...shares, 1]), length, score };
  }
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
function difference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let n = 0; n < pixels; n++) sum += Math.abs((a[n] ?? 0) - (b[n] ?? 0));
  return sum / pixels;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
