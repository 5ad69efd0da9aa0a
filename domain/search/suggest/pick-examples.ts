import { toDisplayName } from '#contract/display-name.ts';
import type { SearchExamples } from '#contract/search-facets.ts';
import { sql } from '../../db/sql.ts';
import { readBeginning, unpackBeginning } from '../../moments/packed-row.ts';
import type { Language } from '../../words/languages/language.ts';
import { isStopWord } from '../../words/languages/languages.ts';
import { excludeHidden } from '../query/list-conditions.ts';
import type { SearchRun } from '../search-parts.ts';
import type { SearchRequest } from '../search-request.ts';
import { askInTime } from '../search-statement.ts';
import { searchVideos } from '../search-videos.ts';

const videosMax = 24;
/** Beginnings of films are enough, however long they are. */
const bodyMaxCharacters = 8_000;
const nameMaxCharacters = 30;
const triesMax = 4;
const saysMuchFrom = 6;

/** Words and names that a search finds in the newest processed videos, one word of each kind: guests learn no more by it than by searching. */
export async function pickExamples(search: SearchRun, hidden?: SearchRequest['hidden']): Promise<SearchExamples> {
  const { rows } = await askInTime(
    sql`
    select v.id, v.name, v.people, v.brands, v.labels, ${readBeginning(bodyMaxCharacters)} as body
      from (select * from videos v where state = 'Processed' and ${excludeHidden(hidden)} order by created_at desc, id desc limit ${videosMax}) v
     order by v.created_at desc, v.id desc`,
    (timed) => search.pool.query<NewestVideo>(timed),
  );
  const { languages } = await search.vocabulary.for();
  const significantWord = (text: string) => findSignificantWord(text, languages);
  const titles = rows.map(({ name }) => toDisplayName(name));
  const words = titles.map(significantWord);
  const title = words.find((word) => word !== null && word.length >= saysMuchFrom) ?? words.find((word) => word !== null) ?? null;
  const lines = rows.flatMap(({ body }) => unpackBeginning(body, bodyMaxCharacters));
  const named = (kind: 'people' | 'brands' | 'labels') =>
    rows.flatMap((row) => row[kind]).find((name) => name.length <= nameMaxCharacters && !/["“”„«»＂]/u.test(name)) ?? null;
  return {
    title,
    otherTitle: await findOtherWord(search, { title, hidden }, words),
    phrase: pickFirst(titles, (text) => (significantWord(text) === title ? beginningOf(text) : null)),
    said: pickFirst(lines, ({ kind, text }) => (kind === 'Transcript' ? significantWord(text) : null)),
    written: pickFirst(lines, ({ kind, text }) => (kind === 'Ocr' ? significantWord(text) : null)),
    person: named('people'),
    brand: named('brands'),
    label: named('labels'),
    id: rows[0]?.id ?? null,
  };
}

interface NewestVideo {
  readonly id: string;
  readonly name: string;
  readonly people: readonly string[];
  readonly brands: readonly string[];
  readonly labels: readonly string[];
  readonly body: string;
}

/** A word of another title that may be ruled out and leaves something of the first; null when none of the next few is one. */
async function findOtherWord(
  search: SearchRun,
  { title, hidden }: { title: string | null; hidden: SearchRequest['hidden'] },
  words: ReadonlyArray<string | null>,
): Promise<string | null> {
  for (const word of words.filter((one) => one !== null && one !== title).slice(0, triesMax)) {
    const asked = { query: [`${title} -${word}`], skip: 0, pageSize: 1, purpose: 'results', hidden } as const;
    if ((await searchVideos(search, asked)).results.length > 0) return word;
  }
  return null;
}

/** The longest word that says something by itself, in small letters; null when there is none. */
function findSignificantWord(text: string, languages: readonly Language[]): string | null {
  const words = (text.toLowerCase().match(/(?<![\p{L}\p{M}\p{N}])\p{L}{4,14}(?![\p{L}\p{M}\p{N}'’-])/gu) ?? []).filter(
    (word) => !isStopWord(word, languages),
  );
  return words.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

/** Two or three words as a title begins, when it goes on in plain words. */
function beginningOf(title: string): string | null {
  return /^\p{L}+ \p{L}+( \p{L}+)?(?![\p{L}\p{M}\p{N}])/u.exec(title)?.[0].toLowerCase() ?? null;
}

function pickFirst<T, R>(all: readonly T[], pick: (one: T) => R | null): R | null {
  for (const one of all) {
    const picked = pick(one);
    if (picked !== null) return picked;
  }
  return null;
}
