import { sql } from '../db/sql.ts';
import { isNobody, type Moment, type MomentKind, type MomentReview, type MomentSource } from './moment.ts';
import { packWordStarts, unpackWordStarts } from './word-starts.ts';

const kindLetters: Record<MomentKind, string> = { Transcript: 'T', Ocr: 'O', Face: 'F', Annotations: 'A', Brand: 'B' };
const sourceLetters: Record<MomentSource, string> = { sidecar: 's', embedded: 'e', machine: 'm', catalogue: 'c', editor: 'p' };
const reviewLetters: Record<MomentReview, string> = { corrected: 'x', verified: 'v' };
const roughLetter = 'r';
const kindOf = invert(kindLetters);
const sourceOf = invert(sourceLetters);
const reviewOf = invert(reviewLetters);

/** The moments of a video as its row keeps them. */
export interface PackedMoments {
  /**
   * A line each in order of time: letters, start and end in ms, confidence, speaker, text, parted by tabs. The letters are those of
   * kind and source, of the review if there was one or of a rough one, and the number of the engine if it is known.
   */
  readonly body: string;
  /** As many lines, each with the word starts of its moment or empty; null when no moment has any. */
  readonly wordStarts: string | null;
  /** The engines that the lines number, from 1; null when no moment names one. */
  readonly engines: readonly string[] | null;
}

/** Whether the first moment of a layer is a line that a recogniser heard that is mostly wrong, by its letters. */
export const beginsRough = sql`left(body, 3) like ${`${kindLetters.Transcript}_${roughLetter}`}`;

/** Packs moments into the texts that one row per video holds. Word starts that cannot be are left out, their moment stays. */
export function packMoments(moments: readonly Moment[]): PackedMoments {
  const engines = [...new Set(moments.flatMap(({ engine }) => engine ?? []))];
  const lines = moments
    .toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs || a.kind.localeCompare(b.kind))
    .map((moment) => ({
      letters: lettersOf(moment, engines),
      startMs: Math.max(0, Math.round(moment.startMs)),
      endMs: Math.max(0, Math.round(moment.endMs)),
      confidence: Math.round(moment.confidencePercent),
      speaker: toOneLine(moment.speaker ?? ''),
      text: toOneLine(moment.text),
      wordStartsMs: moment.wordStartsMs,
    }));
  const wordStarts = lines.map((line) => packWordStarts(line.wordStartsMs, line));
  return {
    body: lines
      .map(({ letters, startMs, endMs, confidence, speaker, text }) => [letters, startMs, endMs, confidence, speaker, text].join('\t'))
      .join('\n'),
    wordStarts: wordStarts.some((line) => line !== '') ? wordStarts.join('\n') : null,
    engines: engines.length > 0 ? engines : null,
  };
}

function lettersOf({ kind, source, review, isRough, engine }: Moment, engines: readonly string[]): string {
  const number = engine === undefined ? '' : engines.indexOf(engine) + 1;
  return `${kindLetters[kind]}${sourceLetters[source]}${review ? reviewLetters[review] : isRough ? roughLetter : ''}${number}`;
}

/** What a packed row says beside its body. */
type BesideBody = Partial<Pick<PackedMoments, 'wordStarts' | 'engines'>>;

/** Reads a packed row back, or its body alone. Throws on a line that `packMoments` did not write. */
export function unpackMoments(body: string, { wordStarts = null, engines = null }: BesideBody = {}): Moment[] {
  if (body === '') return [];
  const startsOfLines = wordStarts?.split('\n') ?? [];
  return body.split('\n').map((line, n) => {
    const [letters = '', startMs, endMs, confidence, speaker, ...text] = line.split('\t');
    const kind = kindOf[letters[0] ?? ''];
    const source = sourceOf[letters[1] ?? ''];
    if (!kind || !source) throw new Error(`not a packed moment: ${line.slice(0, 40)}`);
    const review = reviewOf[letters[2] ?? ''];
    const isRough = letters[2] === roughLetter;
    const engine = engines?.[Number(letters.slice(review || isRough ? 3 : 2)) - 1];
    const wordStartsMs = unpackWordStarts(startsOfLines[n] ?? '', Number(startMs));
    return {
      kind,
      source,
      startMs: Number(startMs),
      endMs: Number(endMs),
      confidencePercent: Number(confidence),
      text: text.join(' '),
      ...(engine ? { engine } : {}),
      ...(review ? { review } : {}),
      ...(isRough ? { isRough } : {}),
      ...(speaker ? { speaker } : {}),
      ...(wordStartsMs ? { wordStartsMs } : {}),
    };
  });
}

/** What a moment says, and who; nobody where a voice has only a number. */
export type MomentText = Pick<Moment, 'kind' | 'text' | 'speaker' | 'isRough'>;

/** Reads only what is said, written and seen, in a third of the time: whoever speaks here is a person, for all that searches. Throws on a line that `packMoments` did not write. */
export function unpackTexts(body: string): MomentText[] {
  const texts: MomentText[] = [];
  const speaking = new Map<string, boolean>();
  const isSomebody = (speaker: string) => {
    const known = speaking.get(speaker) ?? (speaker !== '' && !isNobody(speaker));
    speaking.set(speaker, known);
    return known;
  };
  for (let from = 0; from < body.length; ) {
    const lineEnd = body.indexOf('\n', from);
    const end = lineEnd < 0 ? body.length : lineEnd;
    const kind = kindOf[body.charAt(from)];
    // The speaker and the text stand behind the fourth and the fifth tab.
    let [speakerFrom, textFrom] = [from, from];
    for (let tab = 1; tab <= 5 && (tab === 1 || textFrom > 0); tab++)
      [speakerFrom, textFrom] = [textFrom, body.indexOf('\t', textFrom) + 1];
    if (!kind || textFrom <= speakerFrom || textFrom > end) throw new Error(`not a packed moment: ${body.slice(from, from + 40)}`);
    const speaker = body.slice(speakerFrom, textFrom - 1);
    const isRough = body.charAt(from + 2) === roughLetter;
    texts.push({ kind, text: body.slice(textFrom, end), ...(isRough ? { isRough } : {}), ...(isSomebody(speaker) ? { speaker } : {}) });
    from = end + 1;
  }
  return texts;
}

// NUL cannot be stored in PostgreSQL text; tab and line ends part the columns and lines.
function toOneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim();
}

function invert<K extends string>(letters: Record<K, string>): Record<string, K> {
  return Object.fromEntries(Object.entries<string>(letters).map(([name, letter]) => [letter, name as K]));
}
