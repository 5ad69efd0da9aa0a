import { limits } from '#contract/limits.ts';

/** Seconds of a time as the video service writes it: `0:14:07.25`, `00:14:07.2500000`, or `1.02:00:00` past a day. */
export function parseTimeCode(text: string): number {
  const parts = /^(?:(\d+)\.)?(\d+):(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/.exec(text);
  if (!parts) return 0;
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = parts;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** Milliseconds of a time as somebody types it: `14:07`, `00:14:07.25`, `7,5`, `1m30s`; null where it is none. */
export function readTime(text: string): number | null {
  const inUnits = readUnits(text.trim());
  if (inUnits !== null) return Math.round(inUnits * 1_000);
  const parts = /^\s*(?:(?:(\d{1,3}):)?(\d{1,2}):)?(\d{1,2})(?:[.,](\d{1,3}))?\s*$/.exec(text);
  if (!parts) return null;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = parts;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 + Number(fraction.padEnd(3, '0'));
}

/** `hh:mm:ss`, the fraction cut. */
export function formatTimeCode(seconds: number): string {
  const { hours, minutes, rest } = split(seconds);
  return [hours, minutes, rest].map(toTwoDigits).join(':');
}

/** `mm:ss` under an hour and `h:mm:ss` from there, for places with little room. */
export function formatShortTime(seconds: number): string {
  const { hours, minutes, rest } = split(seconds);
  const short = [minutes, rest].map(toTwoDigits).join(':');
  return hours > 0 ? `${hours}:${short}` : short;
}

/** A time as it is read aloud: `14 minutes 7 seconds`. */
export function spellTime(seconds: number): string {
  const { hours, minutes, rest } = split(seconds);
  const parts = [wordAmount(hours, 'hour'), wordAmount(minutes, 'minute'), wordAmount(rest, 'second')].filter((part) => part !== '');
  return parts.join(' ') || '0 seconds';
}

function split(seconds: number) {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  return { hours: Math.floor(whole / 3600), minutes: Math.floor(whole / 60) % 60, rest: whole % 60 };
}

function toTwoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function wordAmount(value: number, unit: string): string {
  if (value === 0) return '';
  return `${value} ${unit}${value === 1 ? '' : 's'}`;
}

/**
 * The whole seconds of a text in an address, such as `90`, `90.5`, `1m30s` or `1:02:03`, at most ten million, a fraction cut unless another
 * way to round is told; null where it is no time.
 */
export function readSeconds(text: string, round = Math.floor): number | null {
  const seconds = readNumber(text) ?? readUnits(text) ?? readClock(text);
  return seconds === null ? null : Math.min(round(seconds), limits.timeCodeMaxSeconds);
}

function readNumber(text: string): number | null {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}

/** `1h2m3s`, or some of it. */
function readUnits(text: string): number | null {
  const parts = /^(?=\d)(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/i.exec(text);
  if (!parts) return null;
  const [, hours = '0', minutes = '0', seconds = '0'] = parts;
  return (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** `1:02:03`, or `2:03`. */
function readClock(text: string): number | null {
  const parts = /^(?:(\d+):)?(\d{1,2}):(\d{2}(?:\.\d+)?)$/.exec(text);
  if (!parts) return null;
  const [, hours = '0', minutes = '0', seconds = '0'] = parts;
  return (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
}
