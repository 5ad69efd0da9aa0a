import { limits } from '#contract/limits.ts';
import type { Storyboard } from '#contract/video-service/storyboard.ts';
import type { MarkedMoment } from '../marked-moment.ts';

export interface Tick {
  readonly found: MarkedMoment;
  /** Where it stands on the strip, 0 to 1. */
  readonly share: number;
}

const mergeWithinPx = 3;
const snapWithinPx = 12;

/** Where the found moments stand on a strip; those too near to tell apart become one. */
export function placeTicks(found: readonly MarkedMoment[], strip: { durationInSeconds: number; widthPx: number }): Tick[] {
  if (strip.durationInSeconds <= 0) return [];
  const ticks: Tick[] = [];
  for (const each of found) {
    const share = Math.min(1, each.startInSeconds / strip.durationInSeconds);
    const before = ticks.at(-1);
    if (before && (share - before.share) * strip.widthPx < mergeWithinPx) continue;
    ticks.push({ found: each, share });
  }
  return ticks;
}

/** The tick that a pointer means, if it is near enough to one. */
export function nearestTickIn(ticks: readonly Tick[], pointer: { share: number; widthPx: number }): Tick | null {
  let nearest: Tick | null = null;
  let nearestPx = snapWithinPx;
  for (const tick of ticks) {
    const distancePx = Math.abs(tick.share - pointer.share) * pointer.widthPx;
    if (distancePx > nearestPx) continue;
    nearest = tick;
    nearestPx = distancePx;
  }
  return nearest;
}

interface Playhead {
  /** The second at which the film was opened, 0 for its beginning. An address names whole seconds, so what begins within that one was meant. */
  readonly openedAt?: number;
  readonly isPlaying?: boolean;
}

/** Where the playhead stands among the found moments: the number of the last one reached, and the neighbours to go to. */
export function matchesAround(found: readonly MarkedMoment[], seconds: number, { openedAt = 0, isPlaying = true }: Playhead = {}) {
  const isAsOpened = openedAt > 0 && Math.floor(seconds) === Math.floor(openedAt);
  const starts = found.map(({ startInSeconds }) => startInSeconds);
  return secondsAround(starts, seconds, { isPlaying, until: isAsOpened ? Math.floor(openedAt) + wholeSecond : 0 });
}

const wholeSecond = 0.999;
/** A seek lands a little beside its second, and what is reached by a key a little behind it. */
const besideSeconds = 0.4;
const aheadSeconds = 0.3;
/** Whoever goes back right after a second means the one before; while nothing plays they have time to look. */
const rightAfterSeconds = 1.5;

/** Where the playhead stands among seconds in order: the number of the last one reached, and the neighbours to go to. */
export function secondsAround(
  starts: readonly number[],
  seconds: number,
  { until = 0, isPlaying }: { until?: number; isPlaying: boolean },
) {
  const reachedUntil = Math.max(seconds + aheadSeconds, until);
  return {
    number: starts.filter((start) => start <= reachedUntil).length,
    previous: starts.findLast((start) => start < seconds - (isPlaying ? rightAfterSeconds : besideSeconds)),
    next: starts.find((start) => start > reachedUntil),
  };
}

const shotMarksApartPx = 6;

/** Where shots begin on a strip, 0 to 1, but for the first; none where they stand too close to tell anything. */
export function placeShots(shots: readonly number[], strip: { durationInSeconds: number; widthPx: number }): number[] {
  const marks = shots.slice(1);
  if (strip.durationInSeconds <= 0 || marks.length * shotMarksApartPx > strip.widthPx) return [];
  return marks.map((second) => Math.min(1, second / strip.durationInSeconds));
}

const speechApartPx = 2;

/** Where somebody speaks on a strip, as a path of a picture as wide as the strip; pauses that nobody could see are left out. */
export function drawSpeech(speech: readonly number[], strip: { durationInSeconds: number; widthPx: number }): string {
  if (strip.durationInSeconds <= 0) return '';
  const edges: number[] = [];
  for (const [n, second] of speech.entries()) {
    const px = round(Math.min(1, second / strip.durationInSeconds) * strip.widthPx);
    const isBeginning = n % 2 === 0;
    if (isBeginning && px - (edges.at(-1) ?? Number.NEGATIVE_INFINITY) < speechApartPx) edges.pop();
    else edges.push(px);
  }
  return edges.map((px, n) => (n % 2 === 0 ? `M${px} 1` : `H${px}`)).join('');
}

interface Box {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** How a box shows the still of a second: the whole storyboard as its background, moved and scaled so that one tile covers the box. */
export function tileAt(storyboard: Storyboard, seconds: number, box: Box): { backgroundSize: string; backgroundPosition: string } {
  const { tileWidth, tileHeight, columns, rows, count, intervalSeconds } = storyboard;
  const tile = Math.min(Math.max(0, Math.round(seconds / intervalSeconds)), count - 1);
  const scale = Math.max(box.widthPx / tileWidth, box.heightPx / tileHeight);
  const left = (tile % columns) * tileWidth * scale + (tileWidth * scale - box.widthPx) / 2;
  const top = Math.floor(tile / columns) * tileHeight * scale + (tileHeight * scale - box.heightPx) / 2;
  return {
    backgroundSize: `${round(columns * tileWidth * scale)}px ${round(rows * tileHeight * scale)}px`,
    backgroundPosition: `${round(-left)}px ${round(-top)}px`,
  };
}

/** The number of the small frame that shows a second; films have one from their beginning on. */
export function smallFrameAt(seconds: number, durationInSeconds: number): number {
  const last = Math.ceil(durationInSeconds / limits.frameIntervalSeconds) - 1;
  return Math.max(0, Math.min(Math.floor(seconds / limits.frameIntervalSeconds), last));
}

/** The seconds whose stills fill a strip side by side, each about as wide as a whole still of that height. */
export function listStripSeconds(storyboard: Storyboard, strip: Box, durationInSeconds: number): number[] {
  const stillWidth = Math.max(24, (strip.heightPx * storyboard.tileWidth) / storyboard.tileHeight);
  const cells = Math.max(1, Math.round(strip.widthPx / stillWidth));
  return Array.from({ length: cells }, (_, cell) => ((cell + 0.5) / cells) * durationInSeconds);
}

function round(value: number): number {
  return Math.round(value * 10) / 10 + 0;
}
