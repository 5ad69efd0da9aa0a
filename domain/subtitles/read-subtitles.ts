/*
 * Subtitle files of every kind, read into cues and written as WebVTT (write-captions).
 */
import { open } from 'node:fs/promises';
import { limits, serverLimits } from '#contract/limits.ts';
import { type Cue, cleanCueText, type ParsedSubtitles } from './cue.ts';
import { readCueLabel } from './cue-label.ts';
import { decodeText } from './decode-text.ts';
import { parseAss } from './parse-ass.ts';
import { joinTimedPieces } from './stamped-text.ts';

/** Reads a subtitle file of any kind that the archive takes, in order of time. Throws when it is none of them or far too large. */
export async function readSubtitles(path: string): Promise<ParsedSubtitles> {
  await using file = await open(path, 'r');
  if ((await file.stat()).size > limits.sidecarMaxBytes) throw new Error(`it is larger than ${limits.sidecarMaxBytes / 1_000_000} MB`);
  return parseSubtitles(await file.readFile());
}

/** The same for a subtitle file in memory. */
export function parseSubtitles(bytes: Uint8Array): ParsedSubtitles {
  const { text, warning } = decodeText(bytes);
  const parsed = parserFor(text)(text);
  const cues = parsed.cues.slice(0, serverLimits.linesPerFileMax).sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  const cut =
    parsed.cues.length > serverLimits.linesPerFileMax
      ? [`more than ${serverLimits.linesPerFileMax.toLocaleString('en')} subtitles: the rest ignored`]
      : [];
  const empty = cues.length === 0 ? ['no subtitles found'] : [];
  return { cues, warnings: [...(warning ? [warning] : []), ...parsed.warnings, ...cut, ...empty] };
}

function parserFor(text: string): (text: string) => ParsedSubtitles {
  if (/^\ufeff?WEBVTT/.test(text)) return parseTimedLines;
  if (/^\ufeff?\s*<(\?xml|!|(\w+:)?tt\b)/.test(text)) return parseTtml;
  if (/^\ufeff?\s*\[Script Info\]/i.test(text) || /^Dialogue:/m.test(text)) return parseAss;
  return parseTimedLines;
}

const time = String.raw`(-?)(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?`;
const timing = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}(?:\s.*)?$`);
// None of these reads past the next opening mark, so that a line of nothing but those takes no longer than any other.
const markup = /<\/?(?:i|b|u|s|c|ruby|rt|lang|font|v)(?:[\s.][^<>]*)?>|<\d[\d:.]*>|\{\\[^{}]*\}/giu;
const stamp = new RegExp(`^<${time}>$`);
/** Stands for a stamp until the text around it is read; no file's text holds it by then. */
const stampMark = '\u0001';
/** No two parts of it take the same letters: a line of blanks takes no longer than any other. */
const speakerTag = /^<v(?:\.[^\s<>]*)?\s([^<>]+)>/iu;
const voiceStart = /(?=<v(?:\.[^\s<>]*)?\s[^<>]+>)/iu;

/** Reads SubRip and WebVTT alike: lines of times, each followed by its text up to an empty line or the next times. */
function parseTimedLines(text: string): ParsedSubtitles {
  const isVtt = /^\ufeff?WEBVTT/.test(text);
  const cues: Cue[] = [];
  let open: OpenCue | undefined;
  let label = '';
  let unreadable = 0;
  const close = () => {
    if (open) cues.push(...toCues({ ...open, isVtt }));
    open = undefined;
  };
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (cues.length > serverLimits.linesPerFileMax) break;
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
    warnings: unreadable > 0 ? [`${unreadable} subtitles with unreadable times ignored`] : [],
  };
}

type OpenCue = Pick<Cue, 'startMs' | 'endMs' | 'confidencePercent'> & { readonly lines: string[] };

function readTiming(line: string, label: string): OpenCue | undefined {
  const parts = timing.exec(line);
  if (!parts) return undefined;
  const startMs = toMilliseconds(parts.slice(1, 6));
  const endMs = toMilliseconds(parts.slice(6, 11));
  if (startMs === undefined || endMs === undefined || endMs < 0) return undefined;
  return { startMs: Math.max(0, startMs), endMs: Math.max(0, startMs, endMs), lines: [], ...readCueLabel(label) };
}

function toMilliseconds([sign, hours = '0', minutes, seconds, fraction = '0']: string[]): number | undefined {
  if (Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const wholeSeconds = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return (wholeSeconds * 1_000 + Number(fraction.padEnd(3, '0'))) * (sign === '-' ? -1 : 1);
}

/** One cue for each voice in it: what two people say at once are two lines. */
function toCues({ lines, ...open }: OpenCue & { readonly isVtt: boolean }): Cue[] {
  const raw = lines.join(' ');
  const voices = raw.split(voiceStart);
  return (voices.length > serverLimits.voicesPerCueMax ? [raw] : voices).map((voice) => toCue(voice, open));
}

function toCue(raw: string, { isVtt, ...open }: Omit<OpenCue, 'lines'> & { readonly isVtt: boolean }): Cue {
  const voice = speakerTag.exec(raw)?.[1] ?? '';
  const speaker = cleanCueText(isVtt ? withoutEntities(voice) : voice);
  const stamps: number[] = [open.startMs];
  const bare = raw.replaceAll(stampMark, ' ').replace(markup, (tag) => {
    if (!/^<\d/.test(tag) || raw.length > serverLimits.stampedCueMaxCharacters) return '';
    stamps.push(stampMs(tag));
    return stampMark;
  });
  // Parted before signs are read that are written by number: one of them may be the mark.
  const pieces = bare.split(stampMark);
  const text = joinTimedPieces(
    pieces.map((piece, n) => ({ startMs: stamps[n] ?? Number.NaN, text: isVtt ? withoutEntities(piece) : piece })),
    open,
  );
  return { ...open, ...text, ...(speaker ? { speaker } : {}) };
}

/** NaN for a stamp that is no time: then none of its cue is believed. */
function stampMs(tag: string): number {
  return toMilliseconds(stamp.exec(tag)?.slice(1, 6) ?? []) ?? Number.NaN;
}

/** WebVTT writes signs by name and number, as XML does, and three of its own; SubRip has none. All at once, so that nothing is read twice. */
function withoutEntities(text: string): string {
  return text.replace(/&(?:nbsp|lrm|rlm|lt|gt|amp|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});/gi, readEntity);
}

const paragraphStart = /<(?:\w+:)?p\b/;
const paragraphEnd = /<\/(?:\w+:)?p>/;
const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ', lrm: '', rlm: '' };

/** Reads the timed paragraphs of a TTML document. One that defines entities of its own is refused: nothing here expands them. */
function parseTtml(text: string): ParsedSubtitles {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new Error('it declares a document type, which is not allowed');
  const [, times = 1, per = 1] = /frameRateMultiplier="([1-9]\d{0,5})[ :]([1-9]\d{0,5})"/.exec(text) ?? [];
  const nominalRate = Number(/frameRate="([1-9]\d*)"/.exec(text)?.[1] ?? 30);
  const frameRate = (nominalRate * Number(times)) / Number(per);
  const isSmpte = /timeBase="smpte"/.test(text);
  const droppedFrames = /dropMode="dropNTSC"/.test(text) ? 2 : 0;
  const tickRate = Number(/tickRate="(\d+)"/.exec(text)?.[1] ?? 1);
  const cues: Cue[] = [];
  let unreadable = 0;
  for (const { attributes, content } of paragraphsOf(text)) {
    const moment = (name: string) =>
      parseTimeMs(new RegExp(String.raw`\b${name}="([^"]*)"`).exec(attributes)?.[1], {
        frameRate,
        tickRate,
        ...(isSmpte ? { smpte: { nominalRate, droppedFrames } } : {}),
      });
    const startMs = moment('begin');
    const endMs = moment('end') ?? (startMs === undefined ? undefined : startMs + (moment('dur') ?? 0));
    const line = cleanCueText(toPlainText(content));
    if (startMs === undefined || endMs === undefined) unreadable += 1;
    else if (line !== '') cues.push({ startMs, endMs: Math.max(startMs, endMs), text: line });
  }
  return { cues, warnings: unreadable > 0 ? [`${unreadable} paragraphs without times ignored`] : [] };
}

/** Cut at their beginnings first, so that one without an end does not read on through all the others. */
function paragraphsOf(text: string): { attributes: string; content: string }[] {
  return text
    .split(paragraphStart)
    .slice(1)
    .flatMap((piece) => {
      const [inner, isClosed] = piece.split(paragraphEnd, 2);
      const tagEnd = inner?.indexOf('>') ?? -1;
      if (inner === undefined || isClosed === undefined || tagEnd === -1) return [];
      return [{ attributes: inner.slice(0, tagEnd), content: inner.slice(tagEnd + 1) }];
    });
}

function toPlainText(content: string): string {
  return withoutXmlEntities(content.replace(/<[^<>]*>/g, ' '));
}

/** What a text of XML says, with its own five entities and numbered characters read. */
export function withoutXmlEntities(content: string): string {
  return content.replace(/&(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});/gi, readEntity);
}

function readEntity(entity: string): string {
  const name = entity.slice(1, -1).toLowerCase();
  if (!name.startsWith('#')) return entities[name] ?? entity;
  const point = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return point <= 0x10ffff ? String.fromCodePoint(point) : entity;
}

interface TtmlRates {
  /** Frames that pass in a second. */
  readonly frameRate: number;
  readonly tickRate: number;
  /** Where a clock counts frames and no time: how many it counts to a second, and leaves out each minute but the tenth (SMPTE ST 12-1). */
  readonly smpte?: { readonly nominalRate: number; readonly droppedFrames: number };
}

/** "00:00:01.500", "00:00:01:12" with frames, "1.5s", "1500ms", "1.5m", "1h", "36f", "4000t". */
function parseTimeMs(text: string | undefined, rates: TtmlRates): number | undefined {
  const clock = /^(\d{1,3}):(\d{2}):(\d{2})(?:\.(\d+)|:(\d{1,3}))?$/.exec(text ?? '');
  if (clock) {
    const [, hours, minutes, seconds, fraction, frames] = clock;
    const whole = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
    if (rates.smpte && fraction === undefined) {
      const { nominalRate, droppedFrames } = rates.smpte;
      const minute = Math.floor(whole / 60);
      const frame = whole * nominalRate + Number(frames ?? 0) - droppedFrames * (minute - Math.floor(minute / 10));
      return Math.round((1_000 * frame) / rates.frameRate);
    }
    return Math.round((whole + Number(`0.${fraction ?? 0}`) + Number(frames ?? 0) / rates.frameRate) * 1_000);
  }
  const offset = /^(\d{1,12}(?:\.\d+)?)(h|m|s|ms|f|t)$/.exec(text ?? '');
  if (!offset) return undefined;
  const unitMs = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1, f: 1_000 / rates.frameRate, t: 1_000 / rates.tickRate }[offset[2] ?? 's'];
  return unitMs === undefined ? undefined : Math.round(Number(offset[1]) * unitMs);
}
