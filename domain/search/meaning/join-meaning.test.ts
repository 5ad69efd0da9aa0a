import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sql } from '#domain/db/sql.ts';
import { chooseEncoder } from '#domain/meaning/encoder/choose-encoder.ts';
import { openMeaningProcess } from '#domain/meaning/meaning-process.ts';
import { makeMeaning } from '#testing/made-meaning.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { writeSentenceModel } from '#testing/sentence-model.ts';
import { until } from '#testing/until.ts';
import { totalOf } from '../match/count-matches.ts';
import { openSearch } from '../open-search.ts';
import { planSearch } from '../query/plan-search.ts';
import { type SearchPlan, significantConceptsOf } from '../query/search-plan.ts';
import { tiers } from '../weights.ts';
import { isBadlyAnswered, joinMeaning } from './join-meaning.ts';

const talks: Record<string, readonly string[]> = {
  barn: ['Last night was terrible out here.', 'High winds destroyed the top of our farm building,', 'and the cows ran into the field.'],
  bakery: ['We begin with flour and water.', 'The dough has to rest until the morning.', 'Then the oven is lit.'],
  court: ['The judges came back after lunch.', 'They rejected the request for a new trial.', 'His lawyer said nothing.'],
  radio: ['The old transmitter is on the hill.', 'We repaired the antenna in the spring.', 'Now the signal reaches the islands.'],
};
/** In words that no film has all of, nor most of. */
const inOtherWords = 'the storm tore a roof from the barn while animals escaped';

let archive: SearchableArchive;
beforeAll(async () => {
  archive = await createSearchableArchive({
    ...Object.fromEntries(Object.entries(talks).map(([name, said]) => [name, { title: 'Recording', said }])),
    weather: { title: 'Recording', said: ['A storm came.', 'Somebody tore a ticket.'] },
    rooftop: { title: 'Recording', said: ['The roof is flat.'] },
    // Of the barn it has one word, and says nothing like it.
    market: {
      title: 'Recording',
      said: ['A storm came.', ...Array.from({ length: 20 }, (_, n) => `Apples were ${n} pence a pound there.`)],
    },
    sturm: { title: 'Sturm', said: ['Der Sturm riss das Dach von der Scheune.'], language: 'de' },
  });
  await makeMeaning(archive.database.pool);
  // Whoever searches does not wait for its start.
  await archive.meaning.find('a question', { limit: 1, among: [] });
});
afterAll(() => archive.drop());

test('a film is found by what it means where no film has the words, and shows the lines that say it', async () => {
  const { results } = await archive.search(inOtherWords, { allowsMeaning: true });
  const barn = results.find(({ video }) => video.externalId === 'barn');
  expect(results.slice(0, 2)).toContain(barn);
  expect(barn?.isByMeaning).toBe(true);
  expect(barn?.matches[0]).toMatchObject({ kind: 'Transcript', isByMeaning: true, ranges: [] });
  expect(barn?.matches[0]?.text).toContain('High winds destroyed');
  expect(totalOf(barn?.counts ?? {})).toBe(barn?.matches.length);
  expect(barn?.matches[0]?.lines).toHaveLength(2);
});

test('what was typed is what was searched for where meaning leads, though some of its words occur nowhere', async () => {
  const asked = 'a tempest ruined the stable of the ranch and livestock fled over the grasland';
  const { results, searchedFor } = await archive.search(asked, { allowsMeaning: true });
  expect([results[0]?.isByMeaning, searchedFor]).toEqual([true, undefined]);
  expect((await archive.search(asked)).searchedFor?.literally).toContain('fled');
});

test('further pages go on in the same order, and no film comes twice', async () => {
  const options = { allowsMeaning: true, pageSize: 2 };
  const whole = await archive.found(inOtherWords, { allowsMeaning: true });
  const first = await archive.search(inOtherWords, options);
  const { createdBefore } = first.nextPage;
  const names = [first];
  for (let skip = 2; skip < whole.length; skip += 2) names.push(await archive.search(inOtherWords, { ...options, skip, createdBefore }));
  expect(names.flatMap(({ results }) => results.map(({ video }) => video.externalId))).toEqual(whole);
});

test.each([
  ['all its words stand close together', 'rejected the request for a new trial'],
  ['one word is asked', 'storm'],
  ['words must be there', `${inOtherWords} +storm`],
  ['words stand in quotation marks', `${inOtherWords} "tore a"`],
  ['nothing of it occurs anywhere', 'xqzzy vblorp wnitzelfrub grmpfh'],
])('where %s, the answer is the one without meaning', async (_why, query) => {
  const { pool } = archive.database;
  const plain = openSearch({ pool, index: archive.index, budgetBytes: 1_000_000 });
  const createdBefore = new Date();
  const request = { query: [query], skip: 0, pageSize: 12, purpose: 'results', createdBefore } as const;
  const without = await plain.answer(request);
  expect(JSON.stringify(await archive.searching.answer({ ...request, allowsMeaning: true }))).toBe(JSON.stringify(without));
});

test('a German question is none of English: of it words may lack as much as of any text, as long as no film is English', async () => {
  const question = 'was tat das Dach der Scheune';
  const [plan] = await archive.searching.run(async (search) => (await planSearch(search, { query: [question], purpose: 'results' })).plans);
  if (!plan) throw new Error('no plan');
  const wanted = significantConceptsOf(plan).reduce((sum, n) => sum + (plan.concepts[n]?.weight ?? 0), 0);
  const ranking = { videos: [{ id: 'sturm', tier: tiers.lacking, score: 0.8 * wanted }] };
  const answersBadly = (languages: SearchPlan['languages']) => isBadlyAnswered(question, { ...plan, languages }, ranking);
  expect([answersBadly(plan.languages), answersBadly([])]).toEqual([true, false]);
});

test('filters, suggestions and whoever may not read words get the answer of words', async () => {
  for (const options of [
    {},
    { allowsMeaning: true, narrowing: { kinds: ['Ocr' as const] } },
    { allowsMeaning: true, textScope: ['Ocr' as const] },
    { allowsMeaning: true, purpose: 'suggestions' as const },
  ]) {
    const { results } = await archive.search(inOtherWords, options);
    expect(results.filter(({ matches }) => matches.some(({ isByMeaning }) => isByMeaning))).toEqual([]);
  }
});

test('inside a film the same lines are found by what they mean, and none where words answer or nothing is near', async () => {
  const { results } = await archive.search(inOtherWords, { allowsMeaning: true });
  const idOf = new Map(results.map(({ video }) => [video.externalId, video.id]));
  const inFilm = (name: string, query: string) => archive.searching.film({ videoId: idOf.get(name) ?? '', query });
  const barn = results.find(({ video }) => video.externalId === 'barn');
  const linesOf = (matches: readonly { text: string }[]) => matches.map(({ text }) => text).toSorted();
  const found = await inFilm('barn', inOtherWords);
  expect(linesOf(found.matches)).toEqual(linesOf(barn?.matches ?? []));
  expect([found.counts, found.matches.some(({ isByMeaning }) => isByMeaning)]).toEqual([barn?.counts, true]);
  const byWords = await inFilm('barn', 'high winds destroyed');
  expect(byWords.matches.map(({ isByMeaning }) => isByMeaning)).toEqual([undefined]);
  expect((await inFilm('barn', 'an antenna on the islands')).matches.filter(({ isByMeaning }) => isByMeaning)).toEqual([]);
});

/** What each card of an answer tells, and what its film does. */
async function cardsAndFilms({ searching, search }: SearchableArchive, query: string) {
  const { results } = await search(query, { allowsMeaning: true });
  const cards = results.map((card) => ({ name: card.video.externalId, counts: card.counts }));
  const inFilms = results.map(async ({ video }) => ({
    name: video.externalId,
    counts: (await searching.film({ videoId: video.id, query })).counts,
  }));
  return { cards, films: await Promise.all(inFilms) };
}

test('a card and its film tell the same of a film that has a word and says nothing like what was asked', async () => {
  const { cards, films } = await cardsAndFilms(archive, inOtherWords);
  expect(cards.map(({ name }) => name)).toContain('market');
  expect(films).toEqual(cards);
});

test('where words answer, a film that says the same in others tells no more than its card', async () => {
  const trial = 'rejected the request for a new trial';
  const said = ['They turned down the plea for another court case.', 'It rained.', 'The garden was full of birds.', 'A request came.'];
  const courts = await createSearchableArchive({ court: { title: 'Recording', said: talks.court }, appeal: { title: 'Recording', said } });
  onTestFinished(() => courts.drop());
  await makeMeaning(courts.database.pool);
  const { cards, films } = await cardsAndFilms(courts, trial);
  expect(cards.map(({ name }) => name)).toEqual(['court', 'appeal']);
  expect(films).toEqual(cards);
});

test('what words find for a later page comes behind what earlier pages have shown', async () => {
  const { results } = await archive.search(inOtherWords);
  // Wider windows have an order of their own.
  const videos = results.map(({ video }, n) => ({ id: video.id, tier: tiers.lacking, score: 1 + 5 * n }));
  const request = {
    query: [inOtherWords],
    skip: 0,
    pageSize: 12,
    purpose: 'results',
    allowsMeaning: true,
    createdBefore: new Date(),
  } as const;
  const [first, later] = await archive.searching.run(async (search) => {
    const { plans } = await planSearch(search, request);
    const joinedOf = async (count: number) => {
      const ranking = { videos: videos.slice(0, count), isComplete: false, meetsConditions: new Map<string, boolean>() };
      return (await joinMeaning(search, ranking, { plans, request })).videos.map(({ id }) => id);
    };
    return [await joinedOf(1), await joinedOf(videos.length)];
  });
  expect(later.slice(0, first.length)).toEqual(first);
  expect([first.length < later.length, new Set(later).size]).toEqual([true, later.length]);
});

test('films in another language have no vectors', async () => {
  const { rows } = await archive.database.pool.query<{ name: string }>(
    sql`select v.external_id as name from film_meaning f join videos v on v.id = f.video_id order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([...Object.keys(talks), 'weather', 'rooftop', 'market'].sort());
});

test('a film whose words have changed is found by what it says now', async () => {
  const { pool } = archive.database;
  const asked = 'feline pets were asleep upon the couch cushions';
  const names = async () => {
    const { results } = await archive.search(asked, { allowsMeaning: true });
    return results.flatMap(({ video, isByMeaning }) => (isByMeaning ? [video.externalId] : []));
  };
  expect(await names()).not.toContain('radio');
  await pool.query(sql`
    update moments set body = convert_to(replace(convert_from(body, 'UTF8'), 'We repaired the antenna in the spring.', 'Two cats are sleeping on the sofa.'), 'UTF8')
     where video_id = (select id from videos where external_id = 'radio')`);
  await pool.query(sql`update videos set revision = revision + 1 where external_id = 'radio'`);
  await archive.publish({});
  await makeMeaning(pool);
  expect((await names())[0]).toBe('radio');
});

test('the process that encodes ends when nobody asks, and is there again for the next question', async () => {
  const meaning = openMeaningProcess({ address: archive.database.address, idleMs: 50, findsWithinMs: 60_000 });
  try {
    await meaning.find('a question', { limit: 1, among: [] });
    const { pid } = meaning;
    expect(pid).toBeDefined();
    await until(() => Promise.resolve(meaning.pid === undefined));
    expect(await meaning.find('a question', { limit: 1, among: [] })).toHaveLength(1);
    expect(meaning.pid).not.toBe(pid);
  } finally {
    meaning.close();
  }
});

test('a search whose encoder fails is answered by words', async () => {
  const { pool } = archive.database;
  const broken = { find: () => Promise.reject(new Error('the file vocab.json of the sentence encoder is broken')) };
  const meaning = { ...openMeaningProcess(), ...broken, pid: undefined };
  const search = openSearch({ pool, index: archive.index, budgetBytes: 1_000_000, meaning });
  const { results } = await search.answer({ query: [inOtherWords], skip: 0, pageSize: 12, purpose: 'results', allowsMeaning: true });
  expect(results.map(({ video }) => video.externalId)).toEqual(await archive.found(inOtherWords));
});

test('an archive whose operator named an encoder finds by it, and by no vectors of another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rushes-own-encoder-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const model = await writeSentenceModel(folder, [
    ['judges', 'magistrates'],
    ['trial', 'hearing'],
    ['oven', 'stove'],
    ['scheune', 'shed'],
  ]);
  const encoder = await chooseEncoder({ model, languages: 'en,de' });
  const { address, pool } = archive.database;
  await makeMeaning(pool, { encoder });
  const named = openMeaningProcess({ address, encoder, findsWithinMs: 60_000 });
  onTestFinished(() => named.close());
  const { rows } = await pool.query<{ id: string; name: string }>(sql`select id, external_id as name from videos`);
  const nameOf = new Map(rows.map(({ id, name }) => [id, name]));
  const found = async (text: string) => nameOf.get((await named.find(text, { limit: 1, among: [] }))[0]?.videoId ?? '');
  expect([await found('magistrates of the hearing'), await found('a stove'), await found('a shed')]).toEqual(['court', 'bakery', 'sturm']);
  const other = openMeaningProcess({ address, findsWithinMs: 60_000 });
  onTestFinished(() => other.close());
  expect(await other.find('the judges', { limit: 5, among: [] })).toEqual([]);
});
