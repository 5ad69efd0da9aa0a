import { unpackWordStarts, wordAt } from '../../moments/word-starts.ts';
import { foldText } from '../../words/fold-text.ts';
import { lastAtOrBefore } from '../../words/last-at-or-before.ts';

/** Where a line of a packed row stands in the folded text, column by column. */
export interface FoldedLine {
  /** First letter of the packed line: its kind. */
  readonly letter: string;
  readonly speakerFrom: number;
  readonly textFrom: number;
  readonly end: number;
}

/** A packed row of moments, folded as a whole: looking for a word in it costs one pass, and only lines that hold it are read. */
export interface FoldedBody {
  /** The row as it is stored. */
  readonly packed: string;
  readonly text: string;
  /** All that it keeps in memory. */
  readonly characters: number;
  readonly lineCount: number;
  /** Number of the line that holds this offset. */
  lineAt(offset: number): number;
  line(n: number): FoldedLine;
  /** The next line of the same kind, which a sentence may run on into. */
  nextOfKind(n: number): number | undefined;
  /** The surface text between two folded offsets of one line. */
  surface(from: number, to: number): string;
  /** How many units of surface text lie between two folded offsets of one line. */
  surfaceLength(from: number, to: number): number;
  startMs(n: number): number;
  endMs(n: number): number;
  /** When the word at a folded offset of a line's text begins, in milliseconds, where that is known. */
  wordStartMs(n: number, offset: number): number | undefined;
}

/** The speaker and the text stand after this many tabs, the times after fewer. */
const speakerColumn = 4;
const [startColumn, endColumn] = [1, 2];

/** `wordStarts` is the text of them beside the row, or null; it is parted only once a line of it is asked for. */
export function foldBody(body: string, wordStarts: string | null = null): FoldedBody {
  const { text } = foldText(body);
  const starts = lineStarts(text);
  const lines = new Map<number, FoldedLine>();
  const endOf = (n: number) => (n + 1 < starts.length ? (starts[n + 1] ?? 0) - 1 : text.length);

  function line(n: number): FoldedLine {
    const known = lines.get(n);
    if (known) return known;
    let at = starts[n] ?? 0;
    for (let column = 0; column < speakerColumn; column++) at = text.indexOf('\t', at) + 1;
    const read = { letter: text.charAt(starts[n] ?? 0), speakerFrom: at, textFrom: text.indexOf('\t', at) + 1, end: endOf(n) };
    lines.set(n, read);
    return read;
  }

  /** A number in a column behind the first. */
  function numberAt(n: number, column: number): number {
    let at = starts[n] ?? 0;
    for (let behind = 0; behind < column; behind++) at = text.indexOf('\t', at) + 1;
    return Number(text.slice(at, text.indexOf('\t', at)));
  }

  let packedStarts: readonly number[] | undefined;
  const surfaces = new Map<number, (offset: number) => number>();

  /** Tells where an offset of line `n` stands in the packed row: the line is folded once more, now with its offsets. */
  function surfaceOf(n: number): (offset: number) => number {
    const known = surfaces.get(n);
    if (known) return known;
    packedStarts ??= lineStarts(body);
    const [from, packedFrom, packedTo] = [starts[n] ?? 0, packedStarts[n] ?? 0, (packedStarts[n + 1] ?? body.length + 1) - 1];
    const { surfaceAt } = foldText(body.slice(packedFrom, packedTo));
    const at = (offset: number) => packedFrom + surfaceAt(offset - from);
    surfaces.set(n, at);
    return at;
  }

  const surface = (from: number, to: number) => {
    const at = surfaceOf(lastAtOrBefore(starts, from));
    return body.slice(at(from), at(to));
  };
  const surfaceLength = (from: number, to: number) => {
    const at = surfaceOf(lastAtOrBefore(starts, from));
    return at(to) - at(from);
  };
  let wordStartsOfLines: string[] | undefined;

  return {
    packed: body,
    text,
    characters: body.length + text.length + (wordStarts?.length ?? 0),
    lineCount: body === '' ? 0 : starts.length,
    line,
    lineAt: (offset) => lastAtOrBefore(starts, offset),
    nextOfKind: (n) => {
      const letter = text.charAt(starts[n] ?? 0);
      // Labels and names may stand between two lines of speech, but never many.
      for (let next = n + 1; next < starts.length && next < n + 20; next++) if (text.charAt(starts[next] ?? 0) === letter) return next;
      return undefined;
    },
    surface,
    surfaceLength,
    startMs: (n) => numberAt(n, startColumn),
    endMs: (n) => numberAt(n, endColumn),
    wordStartMs: (n, offset) => {
      wordStartsOfLines ??= wordStarts?.split('\n') ?? [];
      const packed = wordStartsOfLines[n];
      const wordsMs = packed && unpackWordStarts(packed, numberAt(n, startColumn));
      if (!wordsMs) return undefined;
      const { textFrom, end } = line(n);
      const at = surfaceOf(n);
      return wordsMs[wordAt(surface(textFrom, end), at(offset) - at(textFrom))];
    },
  };
}

/** Where the lines of a packed row begin; folding neither adds nor takes any. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
