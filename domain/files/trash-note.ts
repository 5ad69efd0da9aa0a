import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { writeBehind } from '../db/write-behind.ts';
import { parseJson } from '../system/parse-json.ts';
import type { TrashEntry } from './store.ts';
import { videoIdOfKey } from './video-keys.ts';

/** What is written beside what was taken away. */
const Note = z.object({ key: z.string(), reason: z.string(), at: z.coerce.date() });
type Note = z.infer<typeof Note>;

/** The form of a name in the trash. */
export const trashName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[0-9a-f]{10}-[0-9a-f]{6}$/;

/** A name in the trash for what lay under `key`: they sort by time. */
export function makeTrashName(key: string): string {
  return `${timeOf(Date.now())}-${videoIdOfKey(key)}-${randomBytes(3).toString('hex')}`;
}

/** The video to something of which a name was given; undefined for what is no name in the trash. */
export function videoIdOfName(name: string): string | undefined {
  return trashName.test(name) ? name.slice(timeLength + 1, -'-abcdef'.length) : undefined;
}

/** Whether a name was given to something of this video. */
export function isNameOf(name: string, videoId: string): boolean {
  return videoIdOfName(name) === videoId;
}

const readAtOnce = 8;

/** Reads entries of the trash by their names, in that order, and those of one video alone where it is named; a few at a time. What is none is left out. */
export async function readEntries(
  names: readonly string[],
  { videoId, read }: { videoId: string | undefined; read: (name: string) => Promise<TrashEntry | null> },
): Promise<TrashEntry[]> {
  const wanted = videoId === undefined ? names : names.filter((name) => isNameOf(name, videoId));
  const entries: (TrashEntry | null)[] = [];
  const reading = writeBehind({ atOnce: readAtOnce });
  for (const [n, name] of wanted.entries())
    await reading.begin(async () => {
      entries[n] = await read(name);
    });
  await reading.end();
  return entries.filter((entry) => entry !== null);
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
