import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { parseJson } from '#domain/system/parse-json.ts';

/** Where each pin stood when it was last asked, by its key; null for one that was not found. */
export type LastPlaces = Readonly<Record<string, number | null>>;

const Places = z.record(z.string(), z.number().nullable());

/** Beside `relevance.json` lies `relevance.last.json`. */
function lastFileOf(pinsFile: string): string {
  return `${pinsFile.replace(/\.json$/, '')}.last.json`;
}

/** What the run before noted beside a file of pins; nothing when there was none, or its note is lost. */
export async function readLastPlaces(pinsFile: string): Promise<LastPlaces> {
  const text = await readFile(lastFileOf(pinsFile), 'utf8').catch(() => '');
  return Places.safeParse(parseJson(text)).data ?? {};
}

/** Notes the places of this run beside a file of pins, for the next one. */
export async function writeLastPlaces(pinsFile: string, places: LastPlaces): Promise<void> {
  await writeFile(lastFileOf(pinsFile), `${JSON.stringify(places, null, 2)}\n`);
}
