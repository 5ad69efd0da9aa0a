import { expect, test, vi } from 'vitest';
import type { SearchResponse } from '#contract/video-service/answers.ts';
import { aSearchItem } from '#testing/a-search-item.ts';
import { until } from '#testing/until.ts';
import { CallFailed } from './call-failed.ts';
import type { PageStart } from './search/join-pages.ts';
import { listAllVideos } from './video-listing.ts';

const page = (ids: string[], nextPage: Partial<SearchResponse['nextPage']>): SearchResponse => ({
  results: ids.map((id) => aSearchItem({ id })),
  nextPage: { pageSize: 2, skip: 0, done: false, ...nextPage },
});

/** A service of three pages, the second of which repeats a video; `fail` says at which askings it does not answer. */
function service(fail: readonly number[] = []) {
  const asked: PageStart[] = [];
  const pages: Record<number, SearchResponse> = {
    0: page(['a', 'b'], { skip: 2, createdBefore: 'time of one' }),
    2: page(['b', 'c'], { skip: 4, createdBefore: 'time of two', after: 'after c' }),
    4: page(['d'], { skip: 6, done: true }),
  };
  const offline = new CallFailed('No connection to the archive.', { status: 0, code: 'offline' });
  const ask = (start: PageStart): Promise<SearchResponse> => {
    asked.push(start);
    const answer = pages[start.skip];
    if (fail.includes(asked.length) || !answer) return Promise.reject(offline);
    return Promise.resolve(answer);
  };
  return { asked, ask };
}

test('2.9 the list is fetched page after page until the server says that the end is reached', async () => {
  const { asked, ask } = service();
  const listing = listAllVideos({ ask, toRow: ({ id }) => id });
  listing.subscribe(() => {});
  await until(() => listing.current().state === 'done', { withinMs: 5_000, otherwise: () => 'It never ended.' });
  expect(listing.current().rows).toEqual(['a', 'b', 'c', 'd']);
  expect(asked).toEqual([
    { skip: 0 },
    { skip: 2, createdBefore: 'time of one' },
    { skip: 4, createdBefore: 'time of one', after: 'after c' },
  ]);
});

test('2.9 a page that failed is told, and the list goes on there when asked to', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { asked, ask } = service([2]);
  const listing = listAllVideos({ ask, toRow: ({ id }) => id });
  listing.subscribe(() => {});
  await until(() => listing.current().state === 'failed', { withinMs: 5_000, otherwise: () => 'It never failed.' });
  expect(listing.current()).toEqual({ rows: ['a', 'b'], state: 'failed', failure: 'No connection to the archive.' });
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
  listing.goOn();
  await until(() => listing.current().state === 'done', { withinMs: 5_000, otherwise: () => 'It never ended.' });
  expect(listing.current().rows).toEqual(['a', 'b', 'c', 'd']);
  expect(asked.map(({ skip }) => skip)).toEqual([0, 2, 2, 4]);
});

test('nothing is fetched for nobody: the list stops when the page is left, and goes on when it is back', async () => {
  const { asked, ask } = service();
  const listing = listAllVideos({ ask, toRow: ({ id }) => id });
  const leave = listing.subscribe(() => {});
  leave();
  listing.subscribe(() => {});
  await until(() => listing.current().state === 'done', { withinMs: 5_000, otherwise: () => 'It never ended.' });
  expect(listing.current().rows).toEqual(['a', 'b', 'c', 'd']);
  // The first asking was given up, and its answer counts for nothing.
  expect(asked.map(({ skip }) => skip)).toEqual([0, 0, 2, 4]);
});

test('changes are told in pieces, not page by page', async () => {
  const { ask } = service();
  const listing = listAllVideos({ ask, toRow: ({ id }) => id, now: () => 0 });
  const told: number[] = [];
  listing.subscribe(() => told.push(listing.current().rows.length));
  await until(() => listing.current().state === 'done', { withinMs: 5_000, otherwise: () => 'It never ended.' });
  expect(told).toEqual([2, 4]);
});
