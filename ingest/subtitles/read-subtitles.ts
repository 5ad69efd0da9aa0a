import { open } from 'node:fs/promises';
import type { ParsedSubtitles } from './cue.ts';
import { decodeText } from './decode-text.ts';
import { parseAss } from './parse-ass.ts';
import { parseTimedLines } from './parse-timed-lines.ts';
import { parseTtml } from './parse-ttml.ts';

const fileMaxBytes = 20 * 1024 * 1024;

/** Reads a subtitle file of any kind that the archive takes, in order of time. Throws when it is none of them or far too large. */
export async function readSubtitles(path: string): Promise<ParsedSubtitles> {
  await using file = await open(path, 'r');
  if ((await file.stat()).size > fileMaxBytes) throw new Error('it is larger than 20 MB');
  return parseSubtitles(await file.readFile());
}

/** The same for a subtitle file in memory. */
export function parseSubtitles(bytes: Uint8Array): ParsedSubtitles {
  const { text, warning } = decodeText(bytes);
  const parsed = parserFor(text)(text);
  const cues = parsed.cues.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  const empty = cues.length === 0 ? ['no cue found'] : [];
  return { cues, warnings: [...(warning ? [warning] : []), ...parsed.warnings, ...empty] };
}

function parserFor(text: string): (text: string) => ParsedSubtitles {
  if (/^\ufeff?WEBVTT/.test(text)) return parseTimedLines;
  if (/^\ufeff?\s*<(\?xml|!|(\w+:)?tt\b)/.test(text)) return parseTtml;
  if (/^\ufeff?\s*\[Script Info\]/i.test(text) || /^Dialogue:/m.test(text)) return parseAss;
  return parseTimedLines;
}
