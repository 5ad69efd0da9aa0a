import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { Deadline } from '../../scheduling/deadline.ts';
import { HiddenFilms } from '../../videos/visibility.ts';
import { openSearch } from '../open-search.ts';
import type { PlannedConcept, SearchPlan } from '../query/search-plan.ts';
import { rankedMax, rankPlan } from './rank-plan.ts';

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
  return { concepts, not: [], ids: [], notIds: [], onlyStopWords: isStopWord, videos: ofAll };
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
  expect([words, beside].map((plan) => rankedMax([plan]))).toEqual([666, 800]);
  expect(rankedMax([{ ...words, not: words.concepts.flatMap(({ alternatives }) => alternatives) }])).toBe(333);
  expect(rankedMax(Array.from({ length: 8 }, () => words))).toBe(200);
});

test('a phrase that runs over many lines is found wherever it stands, as inside the film', async () => {
  expect((await archive.found(`"${sentence.join(' ')}"`)).toSorted()).toEqual(['across', 'within']);
  expect((await archive.found('"moon in this decade and do the other things not because"')).toSorted()).toEqual(['across', 'within']);
  expect(await archive.found('"heron" "to go to the moon in this decade and do the other things"')).toEqual(['within', 'across', 'one']);
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
