import type { TextPlace } from '#domain/moments/layers.ts';
import type { Moment } from '#domain/moments/moment.ts';
import { isClock, isSameText, lettersOf } from '../engines/same-text.ts';
import type { StretchRead, TextSeen } from '../engines/text-reader.ts';

/** A text in the picture of a film, and where. */
export interface TextMoment extends Moment {
  readonly place: TextPlace;
}

/** Texts that were read and are not told. */
export interface LeftOut {
  readonly clocks: number;
  readonly small: number;
  readonly loneCharacters: number;
  readonly doubtful: number;
}

/** For how long a text may not be read without being another one when it is read again. */
const longestGapSeconds = 2.5;
const heightMinPx = 12;
/** What is less sure is a pattern in the picture, and no text at all. */
const textMin = 0.5;
/** How sure a reading must be, and one of few characters, which patterns are easily taken for. */
const confidenceMin = 0.85;
const [fewCharacters, fewConfidenceMin] = [3, 0.95];

/** What the texts that were read in the stretches of a film, in order, come to: each once, with the reading that most pictures agree on. */
export function textsInFilm(
  stretches: readonly Pick<StretchRead, 'texts'>[],
  told: { everySeconds: number; durationInSeconds: number; engine: string },
): { moments: TextMoment[]; leftOut: LeftOut } {
  const texts = joinTexts(stretches.flatMap((stretch) => stretch.texts)).filter((text) => bestOf(text).confidence >= textMin);
  const reasons = texts.map(whyLeftOut);
  const count = (reason: keyof LeftOut) => reasons.filter((one) => one === reason).length;
  const moments = texts.filter((_, n) => reasons[n] === undefined).map((text) => momentOf(text, told));
  return {
    moments: moments.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs || a.place.y - b.place.y || a.place.x - b.place.x),
    leftOut: { clocks: count('clocks'), small: count('small'), loneCharacters: count('loneCharacters'), doubtful: count('doubtful') },
  };
}

/** Makes one of texts that follow each other at one place and say the same. */
function joinTexts(seen: readonly TextSeen[]): TextSeen[] {
  const texts: TextSeen[] = [];
  for (const text of seen.toSorted((a, b) => a.fromSeconds - b.fromSeconds)) {
    const n = texts.findLastIndex(
      (other) =>
        text.fromSeconds >= other.toSeconds &&
        text.fromSeconds - other.toSeconds <= longestGapSeconds &&
        isSameText({ text: bestOf(other).text, place: other.place }, { text: bestOf(text).text, place: text.place }),
    );
    const before = texts[n];
    if (before) texts[n] = joinTwo(before, text);
    else texts.push(text);
  }
  return texts;
}

function joinTwo(first: TextSeen, next: TextSeen): TextSeen {
  const readings = new Map(first.readings.map((reading) => [reading.text, reading]));
  for (const reading of next.readings) {
    const known = readings.get(reading.text);
    readings.set(reading.text, {
      text: reading.text,
      pictures: (known?.pictures ?? 0) + reading.pictures,
      confidence: Math.max(known?.confidence ?? 0, reading.confidence),
    });
  }
  return { ...first, readings: [...readings.values()], toSeconds: Math.max(first.toSeconds, next.toSeconds) };
}

/** The reading that most pictures agree on, the surest of several. */
function bestOf({ readings }: TextSeen): TextSeen['readings'][number] {
  const [best] = readings.toSorted((a, b) => b.pictures - a.pictures || b.confidence - a.confidence);
  return best ?? { text: '', pictures: 0, confidence: 0 };
}

function whyLeftOut(text: TextSeen): keyof LeftOut | undefined {
  const best = bestOf(text);
  const characters = lettersOf(best.text).length;
  if (isRunningClock(text, best.text)) return 'clocks';
  if (text.heightPx < heightMinPx) return 'small';
  if (characters < 2) return 'loneCharacters';
  return best.confidence < (characters <= fewCharacters ? fewConfidenceMin : confidenceMin) ? 'doubtful' : undefined;
}

/** A clock that stood at several times, or one that tells seconds: nothing else in a film does. */
function isRunningClock({ readings }: TextSeen, text: string): boolean {
  const times = new Set(readings.map((reading) => lettersOf(reading.text)));
  return isClock(text) && (times.size > 1 || /\d\d?[:;]\d\d[:;.]\d\d/.test(text));
}

function momentOf(
  text: TextSeen,
  { everySeconds, durationInSeconds, engine }: { everySeconds: number; durationInSeconds: number; engine: string },
): TextMoment {
  const best = bestOf(text);
  const startMs = Math.round(text.fromSeconds * 1_000);
  // It stands until the picture after the last that showed it.
  const endMs = Math.round(Math.min(text.toSeconds + everySeconds, Math.max(durationInSeconds, text.toSeconds)) * 1_000);
  const confidencePercent = Math.round(best.confidence * 100);
  return { kind: 'Ocr', startMs, endMs, text: best.text, source: 'machine', confidencePercent, engine, place: text.place };
}
