import type { FaceGroup } from './faces.ts';
import type { Layer, Place } from './layers.ts';
import { nameIn, ownNameIn } from './name-in-text.ts';

/** A name that is written or said while a single face is seen. */
export interface NameForFace {
  /** The number of the face. */
  readonly face: number;
  readonly name: string;
  readonly by: 'lower-third' | 'speech';
  /** When, in milliseconds. */
  readonly startMs: number;
}

interface Named extends Omit<NameForFace, 'face'> {
  readonly endMs: number;
}

/**
 * Whose the faces of a film may be: names in lower thirds, and those that somebody gives as their own, while one face is seen and no other;
 * each name of a face once, in order of time. What a recogniser heard roughly tells nothing.
 */
export function namesForFaces(layers: readonly Layer[], faces: readonly Pick<FaceGroup, 'tracks'>[]): NameForFace[] {
  if (faces.length === 0) return [];
  const named = layers.flatMap((layer): Named[] => {
    if (layer.name === 'text') return lowerThirds(layer);
    if (layer.name !== 'captions') return [];
    const said = layer.moments.filter(({ isRough }) => !isRough);
    return said.flatMap(({ text, startMs, endMs }) => asNamed(ownNameIn(text), { startMs, endMs, by: 'speech' as const }));
  });
  const found = named.flatMap(({ endMs, ...one }) => {
    const face = onlyFace(faces, one.startMs, endMs);
    return face === undefined ? [] : [{ face, ...one }];
  });
  const inTime = found.toSorted((a, b) => a.startMs - b.startMs);
  return inTime.filter((one, n) => inTime.findIndex(({ face, name }) => face === one.face && name === one.name) === n);
}

function asNamed<T>(name: string | undefined, rest: T): (T & { name: string })[] {
  return name === undefined ? [] : [{ ...rest, name }];
}

/** Where lower thirds begin, as a share of the picture's height; more names at once are credits. */
const [lowerFrom, namesAtOnceMax] = [0.5, 2];

function lowerThirds({ moments, places = [] }: Extract<Layer, { name: 'text' }>): Named[] {
  const lines = moments.flatMap((moment, n) => {
    const place = places[n];
    return place && place.y + place.height / 2 >= lowerFrom ? asNamed(nameIn(moment.text), { ...moment, place }) : [];
  });
  return lines.flatMap((line) => {
    const beside = lines.filter((other) => other !== line && other.startMs < line.endMs && line.startMs < other.endMs);
    // Below a name stands what somebody is, which may read like one.
    const above = beside.filter((other) => isAbove(other.place, line.place));
    if (above.length > 0 || beside.length >= namesAtOnceMax) return [];
    const { name, startMs, endMs } = line;
    return [{ name, startMs, endMs, by: 'lower-third' }];
  });
}

const linesApart = 3;

function isAbove(upper: Place, lower: Place): boolean {
  const isNear = upper.y < lower.y && lower.y - upper.y <= linesApart * Math.max(upper.height, lower.height);
  return isNear && upper.x < lower.x + lower.width && lower.x < upper.x + upper.width;
}

/** The face that is seen for most of a stretch, where no other is seen in it at all; undefined otherwise. */
function onlyFace(faces: readonly Pick<FaceGroup, 'tracks'>[], startMs: number, endMs: number): number | undefined {
  const seen = faces.map(({ tracks }) =>
    tracks.reduce((sum, track) => sum + Math.max(0, Math.min(track.endMs, endMs) - Math.max(track.startMs, startMs)), 0),
  );
  const numbers = seen.flatMap((ms, n) => (ms > 0 ? [n] : []));
  const [only] = numbers;
  return numbers.length === 1 && only !== undefined && (seen[only] ?? 0) * 2 > endMs - startMs ? only : undefined;
}
