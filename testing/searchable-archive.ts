import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IndexCopy, toIndexCopy } from '#domain/files/index-copy.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { type MeaningProcess, openMeaningProcess } from '#domain/meaning/meaning-process.ts';
import { openSearch, type Search } from '#domain/search/open-search.ts';
import type { SearchAnswer, SearchRequest } from '#domain/search/search-request.ts';
import { catchUpIndex } from '#domain/search-index/keep-index.ts';
import { openSearchIndex, type SearchIndex } from '#domain/search-index/search-index.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** A film of a test by what is said in it, a line every five seconds, or by its whole record. */
export type TestFilm = string | ({ title?: string; said?: readonly string[] } & Record<string, unknown>);

export interface SearchableArchive {
  readonly database: TestDatabase;
  readonly index: SearchIndex;
  readonly searching: Search;
  /** What finds films by their meaning; there is nothing to find before somebody makes it. */
  readonly meaning: MeaningProcess;
  /** What writes the index, and follows it. */
  readonly copy: IndexCopy;
  /** Publishes films by their names, and indexes them. */
  publish(films: Record<string, TestFilm>): Promise<void>;
  search(query: string | readonly string[], options?: Partial<SearchRequest>): Promise<SearchAnswer>;
  /** The names of the films that a query finds, best first. */
  found(query: string | readonly string[], options?: Partial<SearchRequest>): Promise<string[]>;
  drop(): Promise<void>;
}

/** More than a test ever keeps. */
const keptBytes = 100_000_000;

/** An archive with a real database and a real index of its own. */
export async function createSearchableArchive(films: Record<string, TestFilm> = {}): Promise<SearchableArchive> {
  const database = await createTestDatabase();
  const { pool } = database;
  const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-search-'));
  const copy = toIndexCopy(openArchiveFiles(dataFolder));
  const index = openSearchIndex(copy.folder, { cacheBytes: keptBytes });
  const meaning = openMeaningProcess({ address: database.address, findsWithinMs: 60_000 });
  const searching = openSearch({ pool, index, budgetBytes: keptBytes, meaning });
  const archive: SearchableArchive = {
    database,
    meaning,
    index,
    searching,
    copy,
    publish: async (more) => {
      await createCatalogueVideos(
        pool,
        Object.entries(more).map(([name, film]) => recordOf(name, film)),
      );
      await catchUpIndex(pool, copy);
    },
    search: (query, options = {}) => searching.answer({ query: [query].flat(), skip: 0, pageSize: 12, purpose: 'results', ...options }),
    found: async (query, options) => (await archive.search(query, options)).results.map(({ video }) => video.externalId ?? ''),
    drop: async () => {
      searching.close();
      await database.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
  // Also without films: an archive that has no index yet answers no search.
  await archive.publish(films);
  return archive;
}

const secondsPerLine = 5;

function recordOf(name: string, film: TestFilm): CatalogueRecord {
  const { said = [], ...record } = typeof film === 'string' ? { said: [film] } : film;
  const lines = said.map((text, n) => ({ start: n * secondsPerLine, end: (n + 1) * secondsPerLine, text }));
  return CatalogueRecord.parse({ id: name, title: name, durationSeconds: 60, lines, ...record });
}
