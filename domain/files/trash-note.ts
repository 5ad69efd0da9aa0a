import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../system/parse-json.ts';
import { videoIdOfKey } from './video-keys.ts';

/** What is written beside what was taken away. */
const Note = z.object({ key: z.string(), reason: z.string(), at: z.coerce.date() });
type Note = z.infer<typeof Note>;

/** The form of a name in the trash. */
export const trashName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[0-9a-f]{10}-[0-9a-f]{6}$/;

/** A name in the trash for what lay under `key`: they sort by time. */
export function newTrashName(key: string): string {
  return `${timeOf(Date.now())}-${videoIdOfKey(key)}-${randomBytes(3).toString('hex')}`;
}

/** Whether a name was given to something of this video. */
export function isNameOf(name: string, videoId: string): boolean {
  return trashName.test(name) && name.slice(timeLength + 1, -'-abcdef'.length) === videoId;
}

const settledMs = 24 * 60 * 60 * 1_000;

/** Whether a name was given more than a day before `now`: nobody is at it still. */
export function isSettled(name: string, now: number): boolean {
  return name.slice(0, timeLength) < timeOf(now - settledMs);
}

const timeLength = '2026-01-01T00-00-00'.length;

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, timeLength).replaceAll(':', '-');
}

/** The note of something that is taken away now. */
export function writeTrashNote({ key, reason }: Omit<Note, 'at'>): string {
  return JSON.stringify({ key, reason, at: new Date() });
}

/** Null for what is no note. */
export function readTrashNote(text: string): Note | null {
  return Note.safeParse(parseJson(text)).data ?? null;
}
