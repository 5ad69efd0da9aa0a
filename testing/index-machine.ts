import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveFolder } from '#domain/files/archive-folder.ts';
import { type IndexCopy, indexCopy } from '#domain/files/index-copy.ts';
import type { FileStore } from '#domain/files/store.ts';
import type { IndexQuestion } from '#domain/search-index/ask/index-question.ts';
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
export async function openIndexMachine(store: FileStore): Promise<IndexMachine> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-machine-'));
  const copy = indexCopy({ folder: archiveFolder(dataFolder), store });
  const index = await openSearchIndex(copy.folder);
  const ask = async (question: Omit<IndexQuestion, 'limit'>) => {
    const found = [await index.find('passages', { ...question, limit: 500 }), await index.find('heads', { ...question, limit: 500 })];
    return JSON.stringify(found.flat().map(({ video, kind, place, score, words }) => [video, kind, place, score.toFixed(4), words.length]));
  };
  return {
    dataFolder,
    copy,
    index,
    answers: async (words) => {
      const nothing = { words: [], others: [], phrases: [] };
      const said = await Promise.all(words.map((word) => ask({ ...nothing, words: [word] })));
      return [
        ...said,
        await ask({ ...nothing, words: [...words] }),
        await ask({ ...nothing, phrases: [['the', ...words.slice(0, 1)]] }),
      ].join('\n');
    },
    close: () => {
      index.close();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}
