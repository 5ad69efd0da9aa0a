import { SearchResponse } from '#contract/video-service/answers.ts';
import type { Pool } from '#domain/db/database.ts';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { checkIndex } from '#domain/search-index/check/check-index.ts';
import type { ServedArchive } from '../served-archive.ts';
import type { Ledger } from './indexing-ledger.ts';
import { wordOfAll } from './indexing-writer.ts';

/** What is wrong after a round, in words. */
export interface Verdict {
  /** Films that were acknowledged and are not found by their words. */
  readonly lost: string[];
  /** Films that one answer holds more than once. */
  readonly twice: string[];
  /** What index and database say otherwise, and words that are found no film should hold any more. */
  readonly disagreements: string[];
}

const pageSize = 100;
const wordsPerSearch = 20;

/** Asks the running archive for everything that the ledger knows, over HTTP, and compares index and database. */
export async function judge(served: ServedArchive, pool: Pool, ledger: Ledger): Promise<Verdict> {
  const films = [...ledger.films.values()];
  const there = films.filter(({ word }) => word !== null);
  const all = await searchAll(served, wordOfAll);
  const verdict: Verdict = {
    lost: there.filter(({ id }) => !all.includes(id)).map(({ name }) => `${name} among all`),
    twice: all.filter((id, n) => all.indexOf(id) !== n),
    disagreements: all.filter((id) => !there.some((film) => film.id === id)).map((id) => `${id} is found and should not be`),
  };
  const touched = films.filter(({ round }) => round === ledger.round);
  for (const some of chunks(touched.filter(({ word }) => word !== null))) {
    const found = await searchAll(served, oneOf(some.map(({ word }) => word ?? '')));
    verdict.lost.push(...some.filter(({ id }) => !found.includes(id)).map(({ name, word }) => `${name} by ${word}`));
    verdict.twice.push(...found.filter((id, n) => found.indexOf(id) !== n));
  }
  for (const some of chunks(touched.flatMap(({ oldWords }) => oldWords))) {
    const found = await searchAll(served, oneOf(some));
    verdict.disagreements.push(...found.map((id) => `${id} is found by one of ${some.join(', ')}, which are gone`));
  }
  const { check } = await checkIndex(pool, archiveFolderIn(served.dataFolder).index);
  const { waiting, missing, twice, foreign, wrong, mislaid, wordCountsWrong } = check;
  if (waiting + missing + twice + foreign + wrong + mislaid + wordCountsWrong > 0) verdict.disagreements.push(JSON.stringify(check));
  if (check.videos !== there.length) verdict.disagreements.push(`${check.videos} videos instead of ${there.length}`);
  return verdict;
}

const oneOf = (words: readonly string[]) => words.map((word) => `"${word}"`).join(' OR ');

function chunks<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / wordsPerSearch) }, (_, n) =>
    list.slice(n * wordsPerSearch, (n + 1) * wordsPerSearch),
  );
}

/** The ids of all that is found, page by page. */
async function searchAll({ searchAddress, accessToken }: ServedArchive, query: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page: Record<string, string> = {}; ; ) {
    const asked = new URLSearchParams({ query, accessToken, pageSize: String(pageSize), skip: String(ids.length), ...page });
    const answer = await fetch(`${searchAddress}?${asked}`);
    if (!answer.ok) throw new Error(`${query}: ${answer.status} ${await answer.text()}`);
    const { results, nextPage } = SearchResponse.parse(await answer.json());
    ids.push(...results.map(({ id }) => id));
    if (nextPage.done) return ids;
    const { createdBefore = '', createdBeforeSignature = '' } = nextPage;
    page = createdBefore ? { createdBefore, createdBeforeSignature } : {};
  }
}
