import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { type IndexCopy, toIndexCopy } from '#domain/files/index-copy.ts';
import type { FileStore } from '#domain/files/store.ts';
import { IndexNotReady } from '#domain/search-index/index-not-ready.ts';
import type { IndexQuestion } from '#domain/search-index/index-question.ts';
import { openSearchIndex, type SearchIndex } from '#domain/search-index/search-index.ts';

/** A machine that has the index of an archive in a folder of its own, and gets everything else from database and store. */
export interface IndexMachine {
  readonly dataFolder: string;
  readonly copy: IndexCopy;
  readonly index: SearchIndex;
  /** What it answers to questions of all kinds, as text to compare. */
  answers(words: readonly string[]): Promise<string>;
  close(): void;
}

/** Opens one beside others that share `store`. */
export function openIndexMachine(store: FileStore): IndexMachine {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-machine-'));
  const copy = { ...toIndexCopy({ folder: archiveFolderIn(dataFolder), store }), outdatedLeftAfterMs: 0 };
  const index = openSearchIndex(copy.folder, { cacheBytes: 10_000_000 });
  const ask = async (question: Omit<IndexQuestion, 'limit'>) => {
    const found = [await index.find('passages', { ...question, limit: 500 }), await index.find('heads', { ...question, limit: 500 })];
    return JSON.stringify(
      found.flat().map(({ video, kind, offset, score, words }) => [video, kind, offset, score.toFixed(4), words.length]),
    );
  };
  return {
    dataFolder,
    copy,
    index,
    answers: async (words) => {
      const nothing = { words: [], others: [], phrases: [] };
      const questions = [
        ...words.map((word) => ({ ...nothing, words: [word] })),
        { ...nothing, words: [...words] },
        { ...nothing, phrases: [['the', ...words.slice(0, 1)]] },
      ];
      const answers = questions.map((question) => ask(question).catch(stateInstead));
      return (await Promise.all(answers)).join('\n');
    },
    close: () => {
      index.close();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** What there is no index for is answered by saying so. */
function stateInstead(error: unknown): string {
  if (error instanceof IndexNotReady) return error.state;
  throw error;
}
