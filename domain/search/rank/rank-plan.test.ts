import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { Deadline } from '../../scheduling/deadline.ts';
import { SearchTimeout } from '../../scheduling/search-timeout.ts';
import { HiddenFilms } from '../../videos/visibility.ts';
import { openSearch } from '../open-search.ts';
import type { PlannedConcept, SearchPlan } from '../query/search-plan.ts';
import { rankPlan } from './rank-plan.ts';
import { limitRanked } from './ranking.ts';

const sentence = [
  'We choose to go',
  'to the moon in',
  'this decade and do',
  'the other things, not',
  'because they are easy',
  'but because they are hard.',
];
const filler = (lines: number) => Array.from({ length: lines }, (_, n) => `Something else, part ${n}.`);

let archive: SearchableArchive;
beforeAll(async () => {
  archive = await createSearchableArchive({
    one: 'The heron stands.',
    ...Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`bittern-${n}`, `A bittern is heard, number ${n}.`])),
    within: { said: [sentence.join(' ')] },
    // Its lines 6 to 11: no ten of them that the index holds together hold all of it.
    across: { said: [...filler(6), ...sentence, ...filler(6)] },
    // The same for letters of a script without blanks.
    unspaced: { said: ['人類は月面着陸した。', 'これがその映像です。'] },
    apart: { said: [...filler(6), ...sentence.toReversed(), ...filler(6)] },
  });
});
afterAll(() => archive.drop());

/** A plan of twelve words that so many videos of an archive of ten thousand hold, the later ones fewer. */
function planOf({ videos, ofAll = 10_000, isStopWord = false }: { videos: number; ofAll?: number; isStopWord?: boolean }): SearchPlan {
  const concepts = Array.from({ length: 12 }, (_, n): PlannedConcept => {
    const word = `word${n}`;
    const alternatives = [{ tokens: [word], fit: 1, videos: videos - n }];
    return { alternatives, weight: 1, isStopWord, must: false, surface: word, isHeld: true, isPlenty: true };
  });
  return { concepts, not: [], ids: [], notIds: [], onlyStopWords: isStopWord, languages: [], videos: ofAll };
}

/** The words that the index is asked for, window by window. */
async function askedFor(plan: SearchPlan): Promise<{ passages: string[][]; heads: string[][] }> {
  const asked: { passages: string[][]; heads: string[][] } = { passages: [], heads: [] };
  const { index } = archive;
  const noting: typeof index = {
    ...index,
    find: (kind, ...questions) => {
      asked[kind].push(...questions.map(({ words }) => [...words]));
      return index.find(kind, ...questions);
    },
  };
  await rankPlan(noting, plan, { atLeast: 1_000, plans: [plan], deadline: new Deadline(60_000) });
  return asked;
}

test('of many frequent words passages are asked for the rarest, those of later pages for fewer, and heads for all', async () => {
  const { passages, heads } = await askedFor(planOf({ videos: 9_900 }));
  expect(passages.map(({ length }) => length)).toEqual([8, 4, 4]);
  expect(passages[2]).toEqual(['word8', 'word9', 'word10', 'word11']);
  expect(heads[0]).toContain('word0');
});

test('words that few videos hold are all asked for, and so are those of a small archive', async () => {
  expect((await askedFor(planOf({ videos: 300 }))).passages[0]).toHaveLength(12);
  expect((await askedFor(planOf({ videos: 100, ofAll: 100 }))).passages[0]).toHaveLength(12);
});

test('the more words are looked for, the fewer videos are ranked: stop words beside others count half', () => {
  const [words, stopWords] = [planOf({ videos: 300 }), planOf({ videos: 300, isStopWord: true })];
  const beside = { ...words, concepts: [...words.concepts.slice(0, 4), ...stopWords.concepts] };
  expect([words, beside].map((plan) => limitRanked([plan]))).toEqual([666, 800]);
  expect(limitRanked([{ ...words, not: words.concepts.flatMap(({ alternatives }) => alternatives) }])).toBe(333);
  expect(limitRanked(Array.from({ length: 8 }, () => words))).toBe(200);
});

/** The archive's index, which notes the phrases that it is asked for. */
function notingPhrases(): { index: typeof archive.index; asked: string[][] } {
  const asked: string[][] = [];
  const { index } = archive;
  const find: typeof index.find = (kind, ...questions) => {
    if (kind === 'passages') asked.push(questions.flatMap(({ phrases }) => phrases.map((phrase) => phrase.join(' '))));
    return index.find(kind, ...questions);
  };
  return { index: { ...index, find }, asked };
}

/** A plan of phrases, and of each the videos that hold its rarest word. */
function planOfPhrases(videosOf: readonly number[]): SearchPlan {
  const concepts = videosOf.map((videos, n): PlannedConcept => {
    const alternatives = [{ tokens: [`first${n}`, `then${n}`], fit: 1, videos }];
    return { alternatives, weight: 1, isStopWord: false, must: false, surface: `first${n} then${n}`, isHeld: videos > 0, isPlenty: false };
  });
  return { concepts, not: [], ids: [], notIds: [], onlyStopWords: false, languages: [], videos: 10_000 };
}

test('of many phrases the index is asked for the rarest that it holds, and an answer without the others is not said to be all', async () => {
  const { index, asked } = notingPhrases();
  const ranking = (videosOf: readonly number[]) => {
    const plan = planOfPhrases(videosOf);
    return rankPlan(index, plan, { atLeast: 1_000, plans: [plan], deadline: new Deadline(60_000) });
  };
  expect((await ranking([90, 80, 0, 70, 60, 50, 40, 30, 20, 10])).isComplete).toBe(false);
  expect(asked[0]).toEqual([9, 8, 7, 6, 5, 4, 3, 1].map((n) => `first${n} then${n}`));
  expect((await ranking([80, 70, 60, 50, 40, 30, 20, 10])).isComplete).toBe(true);
});

test('of many words that may stand for others each gets its best asked for, that which occurs nowhere first; without the rest it is not all', async () => {
  const inflecting = (n: number): PlannedConcept => {
    const others = Array.from({ length: 6 }, (_, m) => ({ tokens: [`word${n}form${m}`], fit: 0.8, videos: 5 }));
    const alternatives = [{ tokens: [`word${n}`], fit: 1, videos: 5 }, ...others];
    return { alternatives, weight: 1, isStopWord: false, must: false, surface: `word${n}`, isHeld: true, isPlenty: false };
  };
  const asked: string[][] = [];
  const noting: typeof archive.index = {
    ...archive.index,
    find: (kind, ...questions) => {
      if (kind === 'passages') asked.push([...(questions.at(-1)?.others ?? [])]);
      return archive.index.find(kind, ...questions);
    },
  };
  const ranking = (forms: number) => {
    const misspelt = { ...inflecting(9), alternatives: [{ tokens: ['armstrong'], fit: 0.75, videos: 5 }], isHeld: false };
    const plan = { ...planOfPhrases([]), concepts: [...Array.from({ length: forms }, (_, n) => inflecting(n)), misspelt] };
    return rankPlan(noting, plan, { atLeast: 1_000, plans: [plan], deadline: new Deadline(60_000) });
  };
  expect((await ranking(3)).isComplete).toBe(true);
  asked.length = 0;
  expect((await ranking(4)).isComplete).toBe(true);
  expect([asked[0]?.length, asked[0]?.slice(0, 6)]).toEqual([
    20,
    ['armstrong', 'word0form0', 'word1form0', 'word2form0', 'word3form0', 'word0form1'],
  ]);
  // Later pages ask for more.
  expect(asked.at(-1)).toHaveLength(25);
  expect((await ranking(11)).isComplete).toBe(false);
});

/** A search of the index that a test gives, with nothing kept of an earlier one. */
const searchOf = (index: typeof archive.index) => openSearch({ pool: archive.database.pool, index, budgetBytes: 0 });
const asking = (query: string) => ({ query: [query], skip: 0, pageSize: 12, purpose: 'results' }) as const;

test('words of scripts without blanks, and parts of stop words alone, are not looked for across rows', async () => {
  const { index, asked } = notingPhrases();
  const askedFor = async (query: string) => {
    asked.length = 0;
    const { results } = await searchOf(index).answer(asking(query));
    return { found: results.map(({ video }) => video.externalId), questions: asked.filter((phrases) => phrases.length > 0) };
  };
  expect(await askedFor('"月面着陸" ')).toEqual({ found: ['unspaced'], questions: [['月 面 着 陸']] });
  expect(await askedFor('"and do the heron" ')).toEqual({ found: [], questions: [['and do the heron'], ['the heron']] });
});

test('an order that is there is not lost because there is no time to look across rows', async () => {
  const { index } = archive;
  let readings = 0;
  // Those that may hold the phrase across rows are read before those of the page.
  const slow: typeof index = {
    ...index,
    films: (...asked) => (readings++ === 0 ? Promise.reject(new SearchTimeout()) : index.films(...asked)),
  };
  const { results, nextPage } = await searchOf(slow).answer(asking(`"${sentence.join(' ')}"`));
  expect(results.map(({ video }) => video.externalId)).toEqual(['within']);
  expect(nextPage.totalCount).toBeUndefined();
});

test('a phrase that runs over many lines is found wherever it stands, as inside the film', async () => {
  expect((await archive.found(`"${sentence.join(' ')}"`)).toSorted()).toEqual(['across', 'within']);
  expect((await archive.found('"moon in this decade and do the other things not because"')).toSorted()).toEqual(['across', 'within']);
  expect(await archive.found('"heron" "to go to the moon in this decade and do the other things"')).toEqual(['within', 'across', 'one']);
});

test('films that hold a phrase in one row take no place of those in which it runs over rows, and all keep their order', async () => {
  const copies = Array.from({ length: 45 }, (_, n) => [`copy-${n}`, sentence.join(' ')]);
  const calls = Array.from({ length: 200 }, (_, n) => [`call-${n}`, `A whimbrel, a curlew ${n}.`]);
  const crowded = await createSearchableArchive({
    ...Object.fromEntries([...copies, ...calls]),
    // It scores better than the calls, but only the wider windows find it.
    later: { said: [filler(30).join(' '), 'A curlew whimbrel.', filler(30).join(' ')] },
    across: { said: [...filler(6), ...sentence, ...filler(6)] },
  });
  try {
    const found = await crowded.found(`curlew whimbrel "${sentence.join(' ')}"`, { pageSize: 300 });
    expect(found).toHaveLength(247);
    expect(found.indexOf('across')).toBeLessThan(46);
    expect(found.indexOf('later')).toBeGreaterThan(found.indexOf('across') + 64);
    expect(await crowded.found(`"${sentence.join(' ')}"`, { pageSize: 300 })).toHaveLength(46);
  } finally {
    await crowded.drop();
  }
});

test('films that a reader does not see take none of the room of others, and no further look at the index', async () => {
  const asked: string[] = [];
  const { index } = archive;
  const noting: typeof index = {
    ...index,
    find: (kind, ...questions) => {
      asked.push(kind);
      return index.find(kind, ...questions);
    },
  };
  const search = openSearch({ pool: archive.database.pool, index: noting, budgetBytes: 1_000_000 });
  const [seen] = (await archive.search('bittern ')).results;
  const unseen = Array.from({ length: 3_000 }, (_, n) => n.toString(16).padStart(10, '0'));
  const hidden = new HiddenFilms([seen?.video.id ?? '', ...unseen]);
  const { results } = await search.answer({ query: ['bittern '], skip: 0, pageSize: 12, purpose: 'results', hidden });
  expect(results).toHaveLength(12);
  expect(results.map(({ video }) => video.id)).not.toContain(seen?.video.id);
  expect(asked.toSorted()).toEqual(['heads', 'passages']);
});
