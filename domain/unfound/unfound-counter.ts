import type { Pool } from '../db/database.ts';
import { type QueryKey, queryKey } from './query-key.ts';
import { type CountedQuery, writeCounts } from './write-counts.ts';

/** Counts searches and what comes of them, in memory first. Nothing here waits, throws, or knows who asks. */
export interface UnfoundCounter {
  /** A search was answered, with something or with nothing. */
  searched(query: string, foundSomething: boolean): void;
  /** Something of a search's answer was opened. */
  opened(query: string): void;
  /** Writes down what was collected; what the database refuses is dropped. */
  write(): Promise<void>;
  /** Writes down everything and collects no more. */
  stop(): Promise<void>;
}

/** Queries in memory between two writes; further ones go uncounted. */
const collectedMax = 1_000;

interface Collected {
  text: string;
  foundNothing: number;
  /** Searches that found something less openings: below zero when another process counted the search. */
  openedNothing: number;
  lastAt: Date;
  /** Whether a write has passed it over. */
  hasWaited: boolean;
}

/** Collects counts and writes them every `everyMs`, in one statement. `onDropped` hears why counts were lost. */
export function startUnfoundCounter(pool: Pool, { everyMs, onDropped }: UnfoundCounterOptions): UnfoundCounter {
  let collected = new Map<string, Collected>();
  let writing: Promise<void> = Promise.resolve();

  const entryOf = ({ folded, text }: QueryKey): Collected | null => {
    const known = collected.get(folded);
    if (known || collected.size >= collectedMax) return known ?? null;
    const fresh = { text, foundNothing: 0, openedNothing: 0, lastAt: new Date(), hasWaited: false };
    collected.set(folded, fresh);
    return fresh;
  };
  const count = (query: string, change: (entry: Collected, key: QueryKey) => void) => {
    const key = queryKey(query);
    const entry = key && entryOf(key);
    if (!entry) return;
    change(entry, key);
    if (entry.foundNothing === 0 && entry.openedNothing === 0) collected.delete(key.folded);
  };
  const takeOut = (everything: boolean): CountedQuery[] => {
    const due = [...collected].filter(([, entry]) => everything || isDue(entry));
    collected = new Map([...collected].filter(([, entry]) => !everything && !isDue(entry)));
    for (const entry of collected.values()) entry.hasWaited = true;
    return due.map(([folded, { hasWaited: _, ...counted }]) => ({ folded, ...counted }));
  };
  const write = (everything: boolean) => {
    const counts = takeOut(everything);
    if (counts.length > 0) writing = writing.then(() => writeCounts(pool, counts)).catch(onDropped);
    return writing;
  };
  let isBusy = false;
  // While the database hangs, nothing piles up behind it: the counts stay together in memory.
  const writeInTurn = async () => {
    if (isBusy) return;
    isBusy = true;
    await write(false);
    isBusy = false;
  };
  const timer = setInterval(() => void writeInTurn(), everyMs).unref();
  return {
    searched: (query, foundSomething) =>
      count(query, (entry, { text }) => {
        if (foundSomething) entry.openedNothing += 1;
        else entry.foundNothing += 1;
        entry.text = text;
        entry.lastAt = new Date();
      }),
    opened: (query) =>
      count(query, (entry) => {
        entry.openedNothing -= 1;
      }),
    write: () => write(false),
    stop: async () => {
      clearInterval(timer);
      await write(true);
    },
  };
}

interface UnfoundCounterOptions {
  readonly everyMs: number;
  readonly onDropped: (error: unknown) => void;
}

/** An opening alone waits for one write: the search before it may lie in the memory of another process until then. */
function isDue({ foundNothing, openedNothing, hasWaited }: Collected): boolean {
  return hasWaited || foundNothing > 0 || openedNothing > 0;
}
