import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The entries of one file of the attacker's corpus, each parsed by `Entry`. */
export function readCorpus<T extends z.ZodType>(name: string, Entry: T): z.output<T>[] {
  const text = readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8');
  return z.object({ entries: z.array(Entry) }).parse(JSON.parse(text)).entries;
}
