import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { tellLanguageOf } from '#ingest/analysis/language-of-text.ts';
import { rounded } from './understanding-bench.ts';

const Talk = z.object({ language: z.string(), lines: z.array(z.object({ text: z.string() })) });

const child = join(import.meta.dirname, 'language-child.ts');
/** The shortest text whose language is told. */
const wordsOfLine = 8;

/** In which language the talks are: each as a whole, and of each the first line that is long enough to tell. */
export async function measureLanguage(media: string): Promise<object[]> {
  const talks = gunzipSync(readFileSync(join(media, 'corpus-open.jsonl.gz')))
    .toString()
    .trim()
    .split('\n');
  const sets = { films: { told: 0, right: 0, count: 0 }, lines: { told: 0, right: 0, count: 0 } };
  let longest: readonly string[] = [];
  for (const talk of talks) {
    const { language, lines } = Talk.parse(JSON.parse(talk));
    const texts = lines.map(({ text }) => text);
    if (texts.length > longest.length) longest = texts;
    const line = texts.find((text) => text.split(/\s+/u).length >= wordsOfLine);
    for (const [set, said] of [
      ['films', texts],
      ['lines', line === undefined ? [] : [line]],
    ] as const) {
      if (said.length === 0) continue;
      const found = await tellLanguageOf(said);
      sets[set].count++;
      if (found !== undefined) sets[set].told++;
      if (found === language) sets[set].right++;
    }
  }
  const peakRssMB = memoryOf(longest);
  return Object.entries(sets).map(([set, { told, right, count }]) => ({
    step: 'language',
    set,
    texts: count,
    recall: rounded(right / count),
    precision: rounded(right / told),
    peakRssMB,
  }));
}

/** What a process holds that tells the language of these lines, and knows of nothing else; null where the system does not tell. */
function memoryOf(texts: readonly string[]): number | null {
  const { stdout } = spawnSync(process.execPath, [child], { input: JSON.stringify(texts) });
  return Number(stdout.toString()) || null;
}
