import type { Pool } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import type { Language } from '../../words/languages/language.ts';
import { languagesAmong } from '../../words/languages/languages.ts';
import type { CountedTerm } from '../../words/packed-terms.ts';
import { Vocabulary } from '../../words/vocabulary.ts';

const termsPerRead = 50_000;

/** The words of the archive, as searches need them. */
export interface VocabularySource {
  /**
   * The vocabulary that belongs to the index. While a newer one is fetched, the one at hand serves every query whose words
   * it knows; for a word that may be new the newer one is waited for.
   */
  for(words?: readonly string[]): Promise<Vocabulary>;
  forget(): void;
}

/** Reads the words that the index of this archive holds from its database, and follows them. */
export function openVocabulary(pool: Pool, index: Pick<SearchIndex, 'batch'>): VocabularySource {
  let known: Vocabulary | undefined;
  let fetching: Promise<Vocabulary> | undefined;

  async function fetchFor(batch: number): Promise<Vocabulary> {
    const vocabulary = await readLater(pool, known, batch);
    await vocabulary.prepare();
    known = vocabulary;
    return vocabulary;
  }

  function startFetching(batch: number): Promise<Vocabulary> {
    fetching = fetchFor(batch).finally(() => {
      fetching = undefined;
    });
    // Whoever waits hears of a failure; a fetch that nobody waits for is tried again by the next search.
    fetching.catch(() => {});
    return fetching;
  }

  return {
    for: async (words = []) => {
      const batch = await index.batch();
      if (known?.batch === batch) return known;
      const later = fetching ?? startFetching(batch);
      const atHand = known;
      return atHand && atHand.size > 0 && words.every((word) => atHand.count(word) > 0) ? atHand : await later;
    },
    forget: () => {
      known = undefined;
    },
  };
}

async function readLater(pool: Pool, known: Vocabulary | undefined, batch: number): Promise<Vocabulary> {
  // A batch lower than before comes from another database.
  const goesOn = known && known.size > 0 && known.batch < batch && (await holdsWordsOf(pool, known.batch));
  return await (goesOn ? addChanges(pool, known, batch) : readAll(pool, batch));
}

/** Whether any word was last counted then or before. An index that was built anew counts all of them anew, and what is gone leaves no trace. */
async function holdsWordsOf(pool: Pool, batch: number): Promise<boolean> {
  const { rows } = await pool.query<{ holds: boolean }>(
    sql`select exists (select from vocabulary where changed_batch <= ${batch}) as holds`,
  );
  return rows[0]?.holds ?? false;
}

async function readAll(pool: Pool, batch: number): Promise<Vocabulary> {
  const terms: CountedTerm[] = [];
  for (let after = ''; ; ) {
    const { rows } = await pool.query<CountedTerm>(sql`
      select term, video_count as videos from vocabulary where term > ${after} order by term limit ${termsPerRead}`);
    terms.push(...rows.filter(({ videos }) => videos > 0));
    const last = rows.at(-1);
    if (!last) break;
    after = last.term;
  }
  return Vocabulary.of({ terms, batch, ...(await countVideos(pool)) });
}

async function addChanges(pool: Pool, known: Vocabulary, batch: number): Promise<Vocabulary> {
  const { rows } = await pool.query<CountedTerm>(sql`
    select term, video_count as videos from vocabulary where changed_batch > ${known.batch}`);
  return await known.with({ changed: rows, batch, ...(await countVideos(pool)) });
}

/** How many videos there are, and in which languages. */
async function countVideos(pool: Pool): Promise<{ videos: number; languages: readonly Language[] }> {
  const { rows } = await pool.query<{ language: string; videos: number }>(sql`
    select language, count(*) as videos from videos where state = 'Processed' group by language`);
  return {
    videos: rows.reduce((sum, { videos }) => sum + videos, 0),
    languages: languagesAmong(rows.map(({ language }) => language)),
  };
}
