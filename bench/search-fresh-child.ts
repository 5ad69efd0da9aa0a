import { monitorEventLoopDelay } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { openPool } from '#domain/db/database.ts';
import { openArchiveSearch } from '#domain/search/open-search.ts';
import type { FreshFigures } from './search-fresh.ts';
import { type Question, questionClasses } from './search-questions.ts';

const Orders = z.object({
  address: z.object({ host: z.string(), user: z.string(), password: z.string(), database: z.string() }),
  indexFolder: z.string(),
  questions: z.array(z.object({ class: z.enum(questionClasses), query: z.string() })),
});

/** What a server keeps where nothing else is said. */
const keptBytes = 256_000_000;

const importedMB = residentMB();
const { address, indexFolder, questions } = Orders.parse(JSON.parse(await text(process.stdin)));
const pool = openPool(address);
const search = openArchiveSearch({ pool, indexFolder, budgetBytes: keptBytes });
const vocabularyOf = () => search.run(({ vocabulary }) => vocabulary.for());

const vocabularyMs = await millisecondsOf(() => vocabularyOf());
const [first] = questions;
const firstSearchMs = first ? await millisecondsOf(() => ask(first)) : 0;
const coldMs: number[] = [];
for (const question of questions) coldMs.push(await millisecondsOf(() => ask(question)));

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
for (const question of questions) await ask(question);
delay.disable();
const rssMB = residentMB();

const vocabulary = await vocabularyOf();
const unknown = questions.filter((question) => question.class === 'typo' || question.class === 'sounds').map(({ query }) => query.trim());
const [nearMs, soundsMs]: [number[], number[]] = [[], []];
for (const word of unknown) {
  nearMs.push(await millisecondsOf(() => vocabulary.near(word, 2)));
  soundsMs.push(await millisecondsOf(() => vocabulary.alike(word)));
}
const figures: FreshFigures = {
  vocabularyMs,
  firstSearchMs,
  coldMaxMs: Math.max(...coldMs),
  longestStallMs: Math.round(delay.max / 1e4) / 100,
  nearMs: Math.max(0, ...nearMs),
  soundsMs: Math.max(0, ...soundsMs),
  vocabularyWords: vocabulary.size,
  rssMB,
  memoryMB: rssMB - importedMB,
};
process.stdout.write(JSON.stringify(figures));
search.close();
await pool.end();

function residentMB(): number {
  return Math.round(process.memoryUsage().rss / 1e6);
}

async function ask({ class: kind, query }: Question): Promise<void> {
  if (kind === 'suggest') await search.suggest({ query: [query] });
  else await search.answer({ query: [query], skip: 0, pageSize: 12, purpose: 'results' });
}

async function millisecondsOf(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return Math.round((performance.now() - startedAt) * 100) / 100;
}
