import { type Cue, cueText, type ParsedSubtitles } from './cue.ts';
import { readCueLabel } from './cue-label.ts';
import { stampedMaxLength, stampedText } from './stamped-text.ts';

const time = String.raw`(-?)(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?`;
const timing = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}(?:\s.*)?$`);
// None of these reads past the next opening mark, so that a line of nothing but those takes no longer than any other.
const markup = /<\/?(?:i|b|u|s|c|ruby|rt|lang|font|v)(?:[\s.][^<>]*)?>|<\d[\d:.]*>|\{\\[^{}]*\}/giu;
const stamp = new RegExp(`^<${time}>$`);
/** Stands for a stamp until the text around it is read; no file's text holds it by then. */
const stampMark = '\u0001';
const speakerTag = /^<v(?:\.[^\s<>]*)?\s+([^<>]+)>/iu;
const cuesMax = 200_000;

/** Reads SubRip and WebVTT alike: lines of times, each followed by its text up to an empty line or the next times. */
export function parseTimedLines(text: string): ParsedSubtitles {
  const isVtt = /^\ufeff?WEBVTT/.test(text);
  const cues: Cue[] = [];
  let open: OpenCue | undefined;
  let label = '';
  let unreadable = 0;
  const close = () => {
    if (open) cues.push(toCue({ ...open, isVtt }));
    open = undefined;
  };
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (cues.length >= cuesMax) break;
    if (line.trim() === '') {
      close();
      label = '';
    } else if (line.includes('-->')) {
      // Where the empty line is missing, the next cue's number stands at the end of this one.
      if (open && /^\s*\d+\s*$/.test(open.lines.at(-1) ?? '')) open.lines.pop();
      close();
      open = readTiming(line, label);
      label = '';
      if (!open && !/^NOTE\b/.test(line)) unreadable += 1;
    } else if (open) {
      open.lines.push(line);
    } else {
      label = line;
    }
  }
  close();
  return {
    cues: cues.filter((cue) => cue.text !== ''),
    warnings: unreadable > 0 ? [`${unreadable} cues with unreadable times left out`] : [],
  };
}

type OpenCue = Pick<Cue, 'startMs' | 'endMs' | 'confidencePercent'> & { readonly lines: string[] };

function readTiming(line: string, label: string): OpenCue | undefined {
  const parts = timing.exec(line);
  if (!parts) return undefined;
  const startMs = milliseconds(parts.slice(1, 6));
  const endMs = milliseconds(parts.slice(6, 11));
  if (startMs === undefined || endMs === undefined || endMs < 0) return undefined;
  return { startMs: Math.max(0, startMs), endMs: Math.max(0, startMs, endMs), lines: [], ...readCueLabel(label) };
}

function milliseconds([sign, hours = '0', minutes, seconds, fraction = '0']: string[]): number | undefined {
  if (Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const wholeSeconds = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return (wholeSeconds * 1_000 + Number(fraction.padEnd(3, '0'))) * (sign === '-' ? -1 : 1);
}

function toCue({ lines, isVtt, ...open }: OpenCue & { readonly isVtt: boolean }): Cue {
  const raw = lines.join(' ');
  const voice = speakerTag.exec(raw)?.[1] ?? '';
  const speaker = cueText(isVtt ? withoutEntities(voice) : voice);
  const stamps: number[] = [open.startMs];
  const bare = raw.replaceAll(stampMark, ' ').replace(markup, (tag) => {
    if (!/^<\d/.test(tag) || raw.length > stampedMaxLength) return '';
    stamps.push(stampMs(tag));
    return stampMark;
  });
  const pieces = (isVtt ? withoutEntities(bare) : bare).split(stampMark);
  const text = stampedText(
    pieces.map((piece, n) => ({ startMs: stamps[n] ?? Number.NaN, text: piece })),
    open,
  );
  return { ...open, ...text, ...(speaker ? { speaker } : {}) };
}

/** NaN for a stamp that is no time: then none of its cue is believed. */
function stampMs(tag: string): number {
  return milliseconds(stamp.exec(tag)?.slice(1, 6) ?? []) ?? Number.NaN;
}

/** WebVTT writes these five; SubRip has none. The ampersand comes last, so that nothing is read twice. */
function withoutEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&nbsp;', ' ')
    .replace(/&(lrm|rlm);/g, '')
    .replaceAll('&amp;', '&');
}
