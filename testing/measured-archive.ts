import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readIndexState } from '#domain/files/index-state.ts';
import { listsBytesOf, openSearch, type Search } from '#domain/search/open-search.ts';
import { expandQuery } from '#domain/search/query/expand-query.ts';
import { parseQuery } from '#domain/search/query/parse-query.ts';
import type { QueryTerm } from '#domain/search/query/query.ts';
import type { SearchRequest } from '#domain/search/search-request.ts';
import { findVideosAfter } from '#domain/search-index/find-videos-to-index.ts';
import { rowsOf } from '#domain/search-index/index-row.ts';
import { openSearchIndex } from '#domain/search-index/search-index.ts';
import { english } from '#domain/words/languages/english.ts';
import type { TranscriptArchive } from './transcript-archive.ts';

/** What is asked, in the words of the archive: for an engine that is compared with ours. */
export interface PlainQuestion {
  /** Any of these words finds. A misspelt one is given as the words that it may mean. */
  readonly words: readonly string[];
  /** Words that begin so. */
  readonly prefixes: readonly string[];
  readonly phrases: readonly (readonly string[])[];
  readonly not: readonly string[];
  /** The only rows that can answer: a title stands in heads, what was said in passages. */
  readonly rows: 'all' | 'passages' | 'heads';
}

/** An archive as a benchmark of search sees it. */
export interface MeasuredArchive {
  /** The whole answer, ranking and moments: the ids of its videos. */
  search(query: string): Promise<string[]>;
  /** The videos whose names and moments the search box offers for what was typed. */
  suggest(typed: string): Promise<string[]>;
  question(query: string): Promise<PlainQuestion>;
  /** Every word with the share of the videos that hold it. */
  wordShares(): Promise<{ word: string; share: number }[]>;
  /** What is measured is made or borrowed in English. */
  isStopWord(word: string): boolean;
  /** The rows of our index, video by video: passages and head. */
  rows(): AsyncGenerator<{ video: string; passages: string[]; head: string }>;
  indexBytes(): Promise<number>;
  close(): void;
}

/** What a server keeps where nothing else is said. */
const keptBytes = 256_000_000;

const requestOf = (query: string): SearchRequest => ({ query: [query], skip: 0, pageSize: 12, purpose: 'results' });

/** Opens an archive that is filled and indexed for being measured. */
export function openMeasuredArchive({ pool, folder }: Pick<TranscriptArchive, 'pool' | 'folder'>): MeasuredArchive {
  const cacheBytes = listsBytesOf(keptBytes);
  const index = openSearchIndex(folder.index, { cacheBytes });
  const search = openSearch({ pool, index, budgetBytes: keptBytes - cacheBytes });
  // It keeps nothing: answers to a question that is asked again would come out of memory.
  const unread = openSearch({ pool, index, budgetBytes: 0 });
  const vocabularyOf = (from: Search) => from.run(({ vocabulary }) => vocabulary.for());

  async function* rows() {
    for (let afterId = ''; ; ) {
      const videos = await findVideosAfter(pool, { afterId, limit: 100 });
      for (const video of videos) {
        const { passages, head } = rowsOf(video);
        yield { video: video.id, passages: passages.map(({ text }) => text), head: head.text };
      }
      const last = videos.at(-1);
      if (!last) return;
      afterId = last.id;
    }
  }

  return {
    rows,
    suggest: async (typed) => (await search.suggest({ query: [typed] })).results.map(({ video }) => video.id),
    search: async (query) => (await unread.answer(requestOf(query))).results.map(({ video }) => video.id),
    question: async (query) => {
      const vocabulary = await vocabularyOf(unread);
      const read = parseQuery(query, vocabulary);
      const plan = expandQuery(read, vocabulary);
      const terms = read.concepts.flatMap(({ anyOf }) => anyOf);
      const words = terms
        .filter(({ tokens }) => tokens.length === 1)
        .flatMap(({ tokens: [word = ''], open }) => {
          if (vocabulary.count(word) > 0 || open) return [word];
          const meant = plan.concepts.find(({ alternatives: [exact] }) => exact?.tokens[0] === word)?.alternatives ?? [];
          return meant.flatMap(({ tokens }) => (tokens.length === 1 ? tokens : []));
        });
      return {
        words,
        prefixes: terms.filter(({ open }) => open).flatMap(({ tokens }) => tokens.at(-1) ?? []),
        phrases: terms.filter(({ tokens }) => tokens.length > 1).map(({ tokens }) => tokens),
        not: plan.not.flatMap(({ tokens }) => tokens),
        rows: rowsFor(terms),
      };
    },
    wordShares: async () => {
      const vocabulary = await vocabularyOf(unread);
      return [...vocabulary.terms()].map((word) => ({ word, share: vocabulary.count(word) / Math.max(1, vocabulary.videos) }));
    },
    isStopWord: (word) => english.stopWords.has(word),
    indexBytes: async () => {
      const state = await readIndexState(folder.index);
      return state ? await bytesOfFiles(join(folder.index, state.generation)) : 0;
    },
    close: () => index.close(),
  };
}

async function bytesOfFiles(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return (await Promise.all(files.map((path) => stat(path)))).reduce((sum, { size }) => sum + size, 0);
}

function rowsFor(terms: readonly QueryTerm[]): PlainQuestion['rows'] {
  const isIn = (...names: readonly QueryTerm['field'][]) => terms.every(({ field }) => field !== undefined && names.includes(field));
  if (isIn('said', 'written')) return 'passages';
  return isIn('title', 'person', 'brand', 'label') ? 'heads' : 'all';
}
