import type { TextKind } from './film-text.ts';

/** Where the lines of a packed row stand in it. */
export interface LinePlaces {
  /** Numbers of the lines that are said, and of those that are written, in order. */
  readonly ofKind: Readonly<Record<TextKind, readonly number[]>>;
  /** Where each line begins, in bytes from the beginning of the row; one more tells where the next would. */
  readonly starts: readonly number[];
}

const kinds: readonly (TextKind | undefined)[] = [undefined, 'Transcript', 'Ocr'];
const [base, isMore] = [128, 128];

/** The kinds of the lines of a packed row and their lengths in bytes: of each line one number, seven bits to the byte. */
export function packLines(lines: readonly { readonly kind: TextKind | undefined; readonly bytes: number }[]): Buffer {
  const table: number[] = [];
  for (const { kind, bytes } of lines) {
    let rest = bytes * kinds.length + kinds.indexOf(kind);
    for (; rest >= base; rest = Math.floor(rest / base)) table.push((rest % base) | isMore);
    table.push(rest);
  }
  return Buffer.from(table);
}

/** Reads back where the lines stand. */
export function unpackLines(table: Uint8Array): LinePlaces {
  const ofKind: Record<TextKind, number[]> = { Transcript: [], Ocr: [] };
  const starts = [0];
  let [value, share, start] = [0, 1, 0];
  for (const byte of table) {
    value += (byte % base) * share;
    share *= base;
    if (byte >= isMore) continue;
    const kind = kinds[value % kinds.length];
    if (kind) ofKind[kind].push(starts.length - 1);
    start += Math.floor(value / kinds.length) + 1;
    starts.push(start);
    value = 0;
    share = 1;
  }
  return { ofKind, starts };
}
