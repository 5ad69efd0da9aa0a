import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from './parse-json.ts';
import { videoIdOfKey } from './video-keys.ts';

/** What is written beside what was taken away. */
const Note = z.object({ key: z.string(), reason: z.string(), at: z.coerce.date() });
type Note = z.infer<typeof Note>;

/** The form of a name in the trash. */
export const trashName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[0-9a-f]{10}-[0-9a-f]{6}$/;

/** A name in the trash for what lay under `key`: they sort by time. */
export function newTrashName(key: string): string {
  return `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}-${videoIdOfKey(key)}-${randomBytes(3).toString('hex')}`;
}

/** The note of something that is taken away now. */
export function writeTrashNote({ key, reason }: Omit<Note, 'at'>): string {
  return JSON.stringify({ key, reason, at: new Date() });
}

/** Null for what is no note. */
export function readTrashNote(text: string): Note | null {
  return Note.safeParse(parseJson(text)).data ?? null;
}
