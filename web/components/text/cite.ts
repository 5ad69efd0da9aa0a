import { formatTimeCode } from '#web/components/text/time-code.ts';

interface Citation {
  /** What is said or written at that second; null where nothing is. */
  readonly line: string | null;
  readonly title: string;
  /** Null for the film as a whole. */
  readonly seconds: number | null;
  /** The archive's name. */
  readonly archive: string;
  /** The whole address of the film, at that second. */
  readonly link: string;
}

/** A moment or a film as somebody quotes it in a text of their own: `"line" — title, 00:27:10, archive, link`, all in one line. */
export function writeCitation({ line, title, seconds, archive, link }: Citation): string {
  const source = [title, ...(seconds === null ? [] : [formatTimeCode(seconds)]), archive, link].join(', ');
  const quoted = (line ?? '').replace(/\s+/g, ' ').trim();
  // Quotation marks within a quotation are single ones.
  return quoted === '' ? source : `"${quoted.replace(/["“”]/g, "'")}" — ${source}`;
}
