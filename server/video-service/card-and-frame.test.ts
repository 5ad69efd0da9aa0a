import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FilmMatches, type SearchItem, SearchResponse } from '#contract/video-service/answers.ts';
import { importTranscripts } from '#ingest/footage/import-transcripts.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { indexFilms } from '#testing/index-films.ts';
import { putReport } from '#testing/put-report.ts';
import { seededRandom } from '#testing/seeded-random.ts';
import { sharedMedia } from '#testing/shared-media.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { wantsWholeCorpus } from '#testing/whole-corpus.ts';
import { withoutLimits } from '#testing/without-limits.ts';

const Need = z.object({ set: z.string(), query: z.string(), expect: z.object({ doc: z.string() }) });
const Hostile = z.object({ q: z.string().nullish(), status: z.array(z.number()) });

const media = sharedMedia();
const ownNeeds = resolve(import.meta.dirname, '..', '..', 'bench', 'queries');
const seed = 20_261_122;
/** How many needs of each set a sample takes, how many films beside those that they ask for, and how many hostile queries. */
const [needsPerSet, furtherFilms, hostileSample] = [25, 60, 60];
/** A page holds more, but the best films are those that people open. */
const filmsPerQuery = wantsWholeCorpus ? 12 : 3;

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');
const needsIn = (file: string) => linesOf(readFileSync(file, 'utf8')).map((line) => Need.parse(JSON.parse(line)));
const needs = (media ? [join(media, 'queries-open.jsonl'), join(ownNeeds, 'hard.jsonl'), join(ownNeeds, 'blind.jsonl')] : [])
  .map((file) => needsIn(file).filter(({ set }) => set === 'transcript'))
  .flatMap((set) => (wantsWholeCorpus ? set : sampleOf(set, needsPerSet)));
const allHostile = readCorpus('search-queries', Hostile).flatMap(({ q, status }) => (q && status.includes(200) ? [q] : []));
const hostile = wantsWholeCorpus ? allHostile : sampleOf(allHostile, hostileSample);

let server: TestServer;
let viewer: Person;
let accountToken: string;
beforeAll(async () => {
  if (!media) return;
  server = await startTestServer(withoutLimits);
  viewer = await addPerson(server.context, { viewer: true });
  accountToken = await viewer.accountToken();
  await importFilms(media);
  await indexFilms(server.context);
}, 1_200_000);
afterAll(async () => {
  await server?.stop();
});

describe.skipIf(!media)('a card and the frames of its film agree (skipped without the shared media folder)', () => {
  test.for([
    { name: 'the needs of three sets', queries: needs.map(({ query }) => query) },
    { name: 'hostile queries', queries: hostile },
  ])('on $name', { timeout: 1_200_000 }, async ({ name, queries }, { task }) => {
    const differing: unknown[] = [];
    let cards = 0;
    for (const query of queries) {
      for (const card of (await search(query)).slice(0, filmsPerQuery)) {
        cards++;
        const frame = await matchesIn(card.id, query);
        const inFrame = new Set(frame.searchMatches.map(keyOf));
        const agrees =
          frame.searchMatchesTotal === card.searchMatchesTotal &&
          frame.searchMatches.length === frame.searchMatchesTotal &&
          card.searchMatches.every((match) => inFrame.has(keyOf(match))) &&
          JSON.stringify(frame.searchMatchCounts) === JSON.stringify(card.searchMatchCounts ?? {});
        if (!agrees) differing.push({ query, film: card.id, card: card.searchMatchesTotal, frame: frame.searchMatchesTotal });
      }
    }
    putReport(task, { check: 'card-and-frame', name, queries: queries.length, cards, differing: differing.length });
    expect(differing).toEqual([]);
    expect(cards).toBeGreaterThan(0);
  });
});

/** What a match shows and marks; a card names a frame beside it, the film's own lines have numbers. */
function keyOf({ startTime, type, text, exactText, ranges }: SearchItem['searchMatches'][number]): string {
  return JSON.stringify([startTime, type, text, exactText, ranges]);
}

async function search(query: string): Promise<SearchItem[]> {
  const parameters = new URLSearchParams({ query, accessToken: accountToken });
  const answer = await server.app.inject({ url: `${server.account}/Videos/Search?${parameters}` });
  expect([query, answer.statusCode]).toEqual([query, 200]);
  return SearchResponse.parse(answer.json()).results;
}

async function matchesIn(videoId: string, query: string): Promise<FilmMatches> {
  const parameters = new URLSearchParams({ query, accessToken: await viewer.videoToken(videoId) });
  const answer = await server.app.inject({ url: `${server.account}/Videos/${videoId}/Matches?${parameters}` });
  expect([query, answer.statusCode]).toEqual([query, 200]);
  return FilmMatches.parse(answer.json());
}

/** The films that the needs ask for, and some that they do not; all of them for a whole run. */
async function importFilms(folder: string): Promise<void> {
  const records = ['corpus-open.jsonl.gz', 'corpus-open-more.jsonl.gz'].flatMap((file) =>
    linesOf(gunzipSync(readFileSync(join(folder, file))).toString('utf8')),
  );
  const wanted = new Set(needs.map((need) => need.expect.doc));
  const isWanted = (record: string) => wanted.has(z.object({ id: z.string() }).parse(JSON.parse(record)).id);
  const chosen = wantsWholeCorpus
    ? records
    : [...records.filter(isWanted), ...sampleOf(records, furtherFilms).filter((one) => !isWanted(one))];
  const scratch = mkdtempSync(join(tmpdir(), 'rushes-films-'));
  writeFileSync(join(scratch, 'films.jsonl'), chosen.join('\n'));
  await importTranscripts(server.context, join(scratch, 'films.jsonl'), () => {});
  rmSync(scratch, { recursive: true });
}

function sampleOf<T>(all: readonly T[], count: number): T[] {
  const { next } = seededRandom(seed);
  return all
    .map((one) => ({ one, rank: next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ one }) => one);
}
