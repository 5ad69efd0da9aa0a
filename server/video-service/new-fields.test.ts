import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findMoments } from '#domain/moments/find-moments.ts';
import type { NamedFace } from '#domain/moments/name-faces.ts';
import type { SearchRequest } from '#domain/search/search-request.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { findVideos } from '#domain/videos/find-videos.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { presentAnswer, presentExamples, presentFacets, presentFilmMatches, tellMatches } from './present-answer.ts';
import { presentIndex } from './present-index.ts';
import type { Reader } from './reader.ts';

/** A field that no line gives to a reader; its number is added under the same name as one that counts something. */
const newField = 'newcomer';
const newText = 'quetzalcoatl';
const newNumber = 918_273_645;

/** What the source rows hold of themselves, by name, with one field more in each of them: as if the archive had learnt something new. */
function withNewFields<T>(source: T): { planted: T; rows: number } {
  let rows = 0;
  const plant = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plant);
    if (value === null || typeof value !== 'object' || value instanceof Date) return value;
    rows += 1;
    const fields = Object.entries(value).map(([name, one]) => [name, plant(one)]);
    const isOfNumbers = Object.values(value).every((one) => typeof one === 'number');
    return { ...Object.fromEntries(fields), [newField]: isOfNumbers ? newNumber : newText };
  };
  // What is planted is of the same type, and a field more.
  return { planted: plant(source) as T, rows };
}

function holdsNewField(answer: unknown): boolean {
  const text = JSON.stringify(answer);
  return [newField, newText, String(newNumber)].some((trace) => text.includes(trace));
}

const secretsFolder = mkdtempSync(join(tmpdir(), 'rushes-secrets-'));
const secrets = loadSecrets(secretsFolder);
const face: NamedFace = {
  name: 'Unknown 1',
  isNamed: false,
  confidencePercent: 80,
  engine: 'an eye',
  clearest: { atMs: 3_000, place: [100, 100, 50, 80] },
  tracks: [{ startMs: 3_000, endMs: 5_000, places: [{ atMs: 3_000, place: [100, 100, 50, 80] }] }],
};
const spoken: [number, number] = [0, 1_000];
const search: SearchRequest = { query: ['lamplighter'], skip: 0, pageSize: 12, purpose: 'results' };
const record = {
  title: 'Harbour at dusk',
  durationSeconds: 600,
  lines: [
    { start: 8, end: 12, text: 'The lamplighter comes home', speaker: 'Ida' },
    { start: 20, end: 30, text: 'He is a lamplighter', speaker: 'Nils' },
  ],
  ocr: [{ start: 20, text: 'Lamplighter, turnpike road' }],
  people: [{ name: 'Zephyrine Okonkwo', at: [3] }, { name: 'Lamplighter Jones' }],
  labels: [{ name: 'lamplighter', at: [30] }],
  brands: [{ name: 'Lamplighter Works', at: [40] }],
};
let archive: SearchableArchive;

beforeAll(async () => {
  archive = await createSearchableArchive({ film: record, other: { title: 'Beach', said: ['A dressmaker at noon'] } });
  await archive.database.pool.query(`
    update videos
       set has_video = true, width = 1080, height = 1920, recorded_at = '1931', owner = 'Lamplighter Films', description = 'A lamplighter'`);
});
afterAll(async () => {
  await archive.drop();
  rmSync(secretsFolder, { recursive: true, force: true });
});

const lamps = { text: 'gas lamps', weight: 1, times: [{ startMs: 0, endMs: 1_000 }] };
const readers: Reader[] = [
  { reading: 'words', mayWatch: false, callerId: 'me' },
  { reading: 'words', mayWatch: true, callerId: 'me' },
  { reading: 'counts', mayWatch: false, callerId: 'me' },
  { reading: 'locked', mayWatch: false, callerId: 'me' },
  { reading: 'admin', mayWatch: true, callerId: 'me' },
];

describe.each(readers)('a field that no line gives out reaches no reader of $reading (may watch: $mayWatch)', (reader) => {
  const presenting = { reader, secrets, accountId: 'a' };

  test.each(['videos', 'suggestions', 'choice'] as const)('in an answer of the form %s', async (form) => {
    const found = form === 'choice' ? await archive.searching.suggest({ query: ['lamplighter'] }) : await archive.searching.answer(search);
    const misspelt = await archive.searching.answer({ ...search, query: ['lampligter dressmaker'] });
    const unfound = await archive.searching.answer({ ...search, query: ['lamplighter -harbour -turnpike'] });
    for (const answer of [found, misspelt, unfound, { ...found, nearest: [{ text: 'harbour', videos: 1 }], arrangedAmong: 3 }]) {
      const { planted, rows } = withNewFields(answer);
      expect(rows).toBeGreaterThan(1);
      const results = tellMatches(planted.results, search, { reader, networks: [], lines: { budget: () => true, perHour: 40 } });
      expect(holdsNewField(presentAnswer({ ...planted, results }, { texts: search.query, skip: 0, form }, presenting))).toBe(false);
    }
    expect(withNewFields(found).rows).toBeGreaterThan(5);
  });

  test('in the matches of a film', async () => {
    const [film] = (await archive.search('lamplighter')).results;
    if (!film) throw new Error('the film is not there');
    for (const query of ['lamplighter', 'lampligter']) {
      const { planted, rows } = withNewFields(await archive.searching.film({ videoId: film.video.id, query }));
      expect(rows).toBeGreaterThan(5);
      expect(planted.searchedFor !== undefined).toBe(query === 'lampligter');
      expect(holdsNewField(presentFilmMatches(planted, reader))).toBe(false);
    }
  });

  test('in the counts of an answer', async () => {
    for (const query of [['lamplighter'], []]) {
      const { planted, rows } = withNewFields(await archive.searching.facets({ ...search, query }));
      expect(rows).toBeGreaterThan(5);
      expect(holdsNewField(presentFacets(planted, reader))).toBe(false);
    }
  });

  test('in the examples of the search help', async () => {
    const { planted } = withNewFields(await archive.searching.examples({}));
    expect(holdsNewField(presentExamples(planted, reader))).toBe(false);
  });

  test('in the index of a film', async () => {
    const { pool } = archive.database;
    const [video] = await findVideos(
      pool,
      (await archive.search('lamplighter')).results.map((one) => one.video.id),
    );
    if (!video) throw new Error('the film is not there');
    const { planted, rows } = withNewFields({
      video,
      moments: await findMoments(pool, video.id),
      shots: [{ startMs: 0, stillMs: 0 }],
      speech: { speechMs: [spoken], noTranscript: null, noMeaning: null },
      keywords: [lamps],
      placedTexts: [{ startMs: 0, endMs: 1, place: { x: 0, y: 0, width: 1, height: 1 } }],
      faces: [face],
      byEditors: { people: [], labels: [], brands: [] },
    });
    expect(rows).toBeGreaterThan(6);
    for (const isSummarized of [true, false]) expect(holdsNewField(presentIndex({ ...planted, isSummarized }, presenting))).toBe(false);
  });
});
