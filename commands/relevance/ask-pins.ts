import { type AskedArchive, askPin, type Standing } from './ask-pin.ts';
import type { LastPlaces } from './last-places.ts';
import { keyOfPin, type Pin } from './pin.ts';

/** A pin with its place now and its place when it was last asked; undefined when it never was. */
export interface AskedPin extends Standing {
  readonly pin: Pin;
  readonly before: number | null | undefined;
  readonly holds: boolean;
  readonly moved: boolean;
}

/** Asks every pin in the order of the file. */
export async function askPins(archive: AskedArchive, pins: readonly Pin[], last: LastPlaces): Promise<AskedPin[]> {
  const asked: AskedPin[] = [];
  for (const pin of pins) {
    const standing = await askPin(archive, pin);
    const { place } = standing;
    const before = last[keyOfPin(pin)];
    asked.push({ ...standing, pin, before, holds: place !== null && place <= pin.within, moved: before !== undefined && before !== place });
  }
  return asked;
}

/** One line for people: `FAILS  place 5, was 1 (within 3)  "harbour lights" → 0123456789 at 00:00:12`. */
export function lineOf({ pin, place, why, before, holds, moved }: AskedPin): string {
  const was = moved ? `, was ${before ?? 'not found'}` : before === undefined ? ', new' : '';
  const wanted = `${JSON.stringify(pin.query)} → ${pin.video}${pin.at === undefined ? '' : ` at ${pin.at}`}`;
  return `${holds ? 'holds' : 'FAILS'}  ${place === null ? why : `place ${place}`}${was} (within ${pin.within})  ${wanted}`;
}

/** The same for programs: one JSON object. */
export function recordOf({ pin, place, why, before, holds, moved }: AskedPin): string {
  const { query, video, at, within } = pin;
  return JSON.stringify({ query, video, at, within, rank: place, before, ok: holds, moved, why });
}
