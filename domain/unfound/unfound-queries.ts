/*
 * Searches that failed visitors, counted by query for the editors' desk; who asked is not kept.
 */
import { explainEmptyQuery } from '#contract/find-words.ts';
import { serverLimits } from '#contract/limits.ts';
import type { UnfoundPage } from '#contract/unfound.ts';
import type { Pool } from '../db/database.ts';
import { retryLostRace } from '../db/retries.ts';
import { sql } from '../db/sql.ts';
import { cleanText, holdsEmailAddress } from '../videos/clean-text.ts';
import { foldText } from '../words/fold-text.ts';
import type { Language } from '../words/languages/language.ts';
import { isStopWord } from '../words/languages/languages.ts';
import { tokensOf } from '../words/tokens.ts';

/** A search may be answered by what its results say, without opening any: only when that happens again and again is it told. */
const unopenedFrom = 3;

/** Queries that failed visitors: those that found nothing first, the most frequent of them before; then those of which nothing was opened. */
export async function listUnfound(pool: Pool, { skip, pageSize }: { skip: number; pageSize: number }): Promise<UnfoundPage> {
  const { rows } = await pool.query<UnfoundRow>(sql`
    select text, found_nothing as "foundNothing", last_at as "lastAt",
           case when opened_nothing >= ${unopenedFrom} then opened_nothing else 0 end as "openedNothing"
      from unfound_queries
     where found_nothing > 0 or opened_nothing >= ${unopenedFrom}
     order by found_nothing desc, unfound_queries.opened_nothing desc, last_at desc, folded
     limit ${pageSize} offset ${skip}`);
  const { rows: counted } = await pool.query<{ total: number }>(sql`
    select count(*) as total from unfound_queries where found_nothing > 0 or opened_nothing >= ${unopenedFrom}`);
  return { queries: rows.map((row) => ({ ...row, lastAt: row.lastAt.toISOString() })), total: counted[0]?.total ?? 0 };
}

interface UnfoundRow {
  readonly text: string;
  readonly foundNothing: number;
  readonly openedNothing: number;
  readonly lastAt: Date;
}

/** How many queries found nothing. */
export async function countFoundNothing(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ total: number }>(sql`select count(*) as total from unfound_queries where found_nothing > 0`);
  return rows[0]?.total ?? 0;
}

/** Takes a query off the list of those that failed; it comes back when it fails again. One that is not there is no error. */
export async function dismissUnfound(pool: Pool, text: string): Promise<void> {
  await pool.query(sql`delete from unfound_queries where folded = ${queryKey(text)?.folded ?? ''}`);
}

/** An index of the database holds no longer ones, and some letters grow when they are folded. */
const keyMaxLength = 400;

interface QueryKey {
  /** What queries that are counted together have in common. */
  readonly folded: string;
  /** The query on one line, without controls. */
  readonly text: string;
}

/** What a query is counted under; null for one that is not counted, as it is empty, longer than 200 code points, or tells an e-mail address. */
function queryKey(query: string): QueryKey | null {
  if ([...query].length > serverLimits.unfoundQueryMaxCodePoints || holdsEmailAddress(query)) return null;
  const text = cleanText(query, serverLimits.unfoundQueryMaxCodePoints);
  // Of some signs nothing is left, and they are told apart all the same.
  const folded = foldText(text).text.replace(/\s+/g, ' ').trim() || text.toLowerCase();
  return folded === '' ? null : { folded: folded.slice(0, keyMaxLength).toWellFormed(), text };
}

/** Whether a query is stop words alone, in the languages of the archive: such a one is not counted. */
function saysNothing(query: string, languages: readonly Language[]): boolean {
  const words = tokensOf(query);
  return words.length > 0 && words.every((word) => isStopWord(word, languages));
}

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
export function startUnfoundCounter(pool: Pool, { everyMs, languages, onDropped }: UnfoundCounterOptions): UnfoundCounter {
  let collected = new Map<string, Collected>();
  let writing: Promise<void> = Promise.resolve();

  const entryOf = ({ folded, text }: QueryKey): Collected | null => {
    const known = collected.get(folded);
    if (known || collected.size >= serverLimits.unfoundCollectedMax) return known ?? null;
    const fresh = { text, foundNothing: 0, openedNothing: 0, lastAt: new Date(), hasWaited: false };
    collected.set(folded, fresh);
    return fresh;
  };
  const count = (query: string, change: (entry: Collected, key: QueryKey) => void) => {
    // No footage would answer what looks for nothing.
    const key = explainEmptyQuery(query) ? null : queryKey(query);
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
    const writeThese = async () => {
      const known = await languages();
      const telling = counts.filter(({ text }) => !saysNothing(text, known));
      if (telling.length > 0) await writeCounts(pool, telling);
    };
    if (counts.length > 0) writing = writing.then(writeThese).catch(onDropped);
    return writing;
  };
  let isBusy = false;
  // While the database hangs, nothing piles up behind it: the counts stay together in memory.
  const writeUnlessBusy = async () => {
    if (isBusy) return;
    isBusy = true;
    await write(false);
    isBusy = false;
  };
  const timer = setInterval(() => void writeUnlessBusy(), everyMs).unref();
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
  /** Those of the archive's films. */
  readonly languages: () => Promise<readonly Language[]>;
  readonly onDropped: (error: unknown) => void;
}

/** An opening alone waits for one write: the search before it may lie in the memory of another process until then. */
function isDue({ foundNothing, openedNothing, hasWaited }: Collected): boolean {
  return hasWaited || foundNothing > 0 || openedNothing > 0;
}

/** What came to a query since the last write. */
interface CountedQuery {
  readonly folded: string;
  readonly text: string;
  readonly foundNothing: number;
  /** May be below zero: openings of searches that were written before. */
  readonly openedNothing: number;
  readonly lastAt: Date;
}

/** Adds counts to those that are kept, in one statement. An opening alone begins no row, and one that leaves nothing failing ends it. */
export async function writeCounts(
  pool: Pool,
  counts: readonly CountedQuery[],
  atMost: number = serverLimits.unfoundKeptMax,
): Promise<void> {
  await retryLostRace(() =>
    pool.query(sql`
    with counted as (
      select * from unnest(
        ${counts.map(({ folded }) => folded)}::text[], ${counts.map(({ text }) => text)}::text[],
        ${counts.map(({ foundNothing }) => foundNothing)}::bigint[], ${counts.map(({ openedNothing }) => openedNothing)}::bigint[],
        ${counts.map(({ lastAt }) => lastAt)}::timestamptz[]) as c (folded, text, found_nothing, opened_nothing, last_at)
    ), failed as (
      insert into unfound_queries as u (folded, text, found_nothing, opened_nothing, last_at)
      select folded, text, found_nothing, greatest(opened_nothing, 0), last_at
        from counted where found_nothing > 0 or opened_nothing > 0 order by folded
          on conflict (folded) do update set
             text = excluded.text, last_at = greatest(u.last_at, excluded.last_at),
             found_nothing = u.found_nothing + excluded.found_nothing,
             opened_nothing = greatest(0, u.opened_nothing
               + (select c.opened_nothing from counted c where c.folded = excluded.folded))
    )
    merge into unfound_queries u
    using (select * from counted where found_nothing = 0 and opened_nothing < 0 order by folded) c on u.folded = c.folded
     when matched and u.found_nothing = 0 and u.opened_nothing + c.opened_nothing <= 0 then delete
     when matched then update set opened_nothing = greatest(0, u.opened_nothing + c.opened_nothing)`),
  );
  await pool.query(sql`
    delete from unfound_queries where folded in (
      select folded from unfound_queries order by found_nothing desc, opened_nothing desc, last_at desc, folded offset ${atMost})`);
}
