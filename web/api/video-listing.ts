import type { SearchItem, SearchResponse } from '#contract/video-service/answers.ts';
import { CallFailed } from './call-failed.ts';
import { nextStartAfter, type PageStart } from './search/join-pages.ts';

/** How far the list of all videos has come. */
export interface Listed<T> {
  readonly rows: readonly T[];
  readonly state: 'fetching' | 'failed' | 'done';
  /** Why it stopped, in the server's words; empty unless it failed. */
  readonly failure: string;
}

export interface VideoListing<T> {
  current(): Listed<T>;
  /** Fetches as long as anybody listens. */
  subscribe(changed: () => void): () => void;
  /** Goes on with the page that failed. */
  goOn(): void;
}

/** Asks for the page that starts there. */
export type AskPage = (start: PageStart, signal: AbortSignal) => Promise<SearchResponse>;

interface ListingOptions<T> {
  ask: AskPage;
  /** What is kept of a video: a whole answer of 50,000 would fill the memory of a phone. */
  toRow: (item: SearchItem) => T;
  now?: () => number;
}

/** Thousands of rows are sorted and drawn anew for every change, so changes are told in pieces. */
const tellEveryMs = 250;

/** Lists every video, page after page until the server says that the end is reached. One that a later page repeats stands once. */
export function listAllVideos<T>({ ask, toRow, now = Date.now }: ListingOptions<T>): VideoListing<T> {
  const listeners = new Set<() => void>();
  const collected = collectOnce(toRow);
  let told: Listed<T> = { rows: [], state: 'fetching', failure: '' };
  let toldAt = Number.NEGATIVE_INFINITY;
  let first: SearchResponse | undefined;
  let next: PageStart | undefined = { skip: 0 };
  let underway: AbortController | undefined;

  const tell = (state: Listed<T>['state'], failure = '') => {
    told = { rows: [...collected.rows], state, failure };
    toldAt = now();
    for (const changed of listeners) changed();
  };
  const take = (page: SearchResponse, asked: PageStart) => {
    collected.take(page.results ?? []);
    first ??= page;
    next = nextStartAfter([first, page], asked);
  };
  const fetchAll = async (signal: AbortSignal) => {
    while (next) {
      const page = await ask(next, signal);
      if (signal.aborted) return;
      take(page, next);
      if (next && now() - toldAt >= tellEveryMs) tell('fetching');
    }
    tell('done');
  };
  const start = () => {
    if (underway || told.state !== 'fetching') return;
    const mine = new AbortController();
    underway = mine;
    fetchAll(mine.signal)
      .catch((reason: unknown) => {
        if (mine.signal.aborted) return;
        console.error('Failed: list of videos', reason);
        tell('failed', reason instanceof CallFailed ? reason.message : 'The archive did not answer.');
      })
      .finally(() => {
        if (underway === mine) underway = undefined;
      });
  };

  return {
    current: () => told,
    subscribe: (changed) => {
      listeners.add(changed);
      start();
      return () => {
        listeners.delete(changed);
        if (listeners.size > 0) return;
        underway?.abort();
        underway = undefined;
      };
    },
    goOn: () => {
      if (told.state !== 'failed') return;
      tell('fetching');
      start();
    },
  };
}

/** Rows of what came, each but once. */
function collectOnce<T>(toRow: ListingOptions<T>['toRow']) {
  const seen = new Set<string>();
  const rows: T[] = [];
  return {
    rows,
    take: (items: readonly SearchItem[]) => {
      for (const item of items) {
        if (seen.has(item.id)) continue;
        seen.add(item.id);
        rows.push(toRow(item));
      }
    },
  };
}
