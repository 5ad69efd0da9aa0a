import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { ownEnvironment } from '#testing/own-environment.ts';
import type { TranscriptArchive } from '#testing/transcript-archive.ts';
import type { Question } from './search-questions.ts';

/** What a process does that has just started and only searches. */
export const FreshFigures = z.object({
  /** What its first search waits for: the vocabulary, and then the tables and its own answer. */
  vocabularyMs: z.number(),
  firstSearchMs: z.number(),
  /** The slowest of the first askings of each question: nothing of it was asked before. */
  coldMaxMs: z.number(),
  /** Longest time for which the process could answer nobody else, once it was warm. */
  longestStallMs: z.number(),
  /** The longest that one word took to be looked for among words nearly alike. */
  nearMs: z.number(),
  soundsMs: z.number(),
  vocabularyWords: z.number(),
  /** Memory that it holds after all questions: what a server holds for searching, with nothing of the benchmark in it. */
  rssMB: z.number(),
  /** The same without what it had after its imports, before it opened or asked anything. */
  memoryMB: z.number(),
});
export type FreshFigures = z.infer<typeof FreshFigures>;

/** Asks the questions in a process of their own. */
export async function searchInFreshProcess(
  { address, folder }: Pick<TranscriptArchive, 'address' | 'folder'>,
  questions: readonly Question[],
): Promise<FreshFigures> {
  // As `npm start` has it.
  const env = ownEnvironment({ MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' });
  const program = join(import.meta.dirname, 'search-fresh-child.ts');
  const child = spawn(process.execPath, ['--max-semi-space-size=32', '--heap-growing-percent=100', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  });
  child.stdin.end(JSON.stringify({ address, indexFolder: folder.index, questions }));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`The searching process ended with ${code}.`))));
  });
  return FreshFigures.parse(JSON.parse(printed));
}
