import type { FilmFacts } from '#contract/films.ts';
import { dayInWords } from '#web/components/results/result.ts';
import { formatTimeCode } from '#web/components/text/time-code.ts';
import type { VideoMoment } from '#web/embed/video-moments.ts';

export interface WatchedVideo {
  id: string;
  name: string;
  durationInSeconds: number;
  views: number | null;
  /** A record of a catalogue has no file. */
  hasFile: boolean;
  /** What is said and written in it, in order of time. */
  lines: readonly VideoMoment[];
}

/** What is known of a film as a whole, in words; only what is known. */
export interface AboutFilm {
  /** Empty where nobody described it. */
  readonly description: string;
  readonly facts: readonly (readonly [name: string, text: string])[];
  readonly rights: string | null;
}

/** `isSpoken`: somebody speaks in it. Of any other film the archive knows no language. */
export function describeFilm(
  { description, recordedAt, place, language, rights }: FilmFacts,
  { isSpoken }: { isSpoken: boolean },
): AboutFilm {
  const told: [name: string, text: string | null][] = [
    ['Recorded', dayInWords(recordedAt) ?? recordedAt],
    ['Place', place],
    ['Language', isSpoken ? nameOfLanguage(language) : null],
  ];
  const facts = told.flatMap(([name, text]) => (text ? [[name, text] as const] : []));
  return { description: description ?? '', facts, rights: rights || null };
}

/** A code that no browser knows says itself. */
function nameOfLanguage(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** The beginning of a text, to the end of a word, and the rest of it; a text that is hardly longer stays whole. */
export function cutText(text: string, atMost: number): [beginning: string, rest: string] {
  if (text.length <= atMost * 1.25) return [text, ''];
  const space = text.lastIndexOf(' ', atMost);
  // A pair of surrogates is one sign.
  const end = space > atMost / 2 ? space : text.slice(0, atMost).toWellFormed().endsWith('\ufffd') ? atMost - 1 : atMost;
  return [text.slice(0, end), text.slice(end)];
}

interface Letter {
  readonly video: { readonly id: string; readonly name: string };
  readonly seconds: number;
  /** Where the range ends that is asked for; null where it is a moment. */
  readonly until: number | null;
  readonly link: string;
  readonly rights: string | null;
  /** What it is for, in the visitor's words. */
  readonly use?: string;
}

/** Mail programs take no address of any length. */
const rightsInLetter = 240;

/** What stands behind `mailto:` to ask for a licence: a letter that begins with what is on show, and the rights that are known. */
export function writeLicenceLetter({ video: { id, name }, seconds, until, link, rights, use = '' }: Letter): string {
  const [beginning, rest] = cutText(rights ?? '', rightsInLetter);
  const when = until === null ? formatTimeCode(seconds) : `${formatTimeCode(seconds)} to ${formatTimeCode(until)}`;
  const asked = until === null ? `Time: ${when}` : `Range: ${when}, length ${formatTimeCode(until - seconds)}`;
  const lines = [`Title: ${name}`, `Id: ${id}`, asked, `Link: ${link}`];
  if (use.trim()) lines.push(`Use: ${use.trim()}`);
  if (beginning) lines.push(`Rights: ${beginning}${rest && '…'}`);
  const letter = new URLSearchParams({
    subject: `Licence: ${name}, ${when}`,
    body: [...lines, '', ''].join('\r\n'),
  });
  // Mail programs take a plus for a plus.
  return `${letter}`.replaceAll('+', '%20');
}
