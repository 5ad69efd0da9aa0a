import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction, type Pool } from '#domain/db/database.ts';
import { migrate } from '#domain/db/migrate.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { findMoments } from '#domain/moments/find-moments.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { findVideos } from '#domain/videos/find-videos.ts';
import { recomposeVideo } from '#domain/videos/recompose-video.ts';
import { largerRenditionsStep } from '#domain/videos/record-step.ts';
import { presentIndex } from '#server/video-service/present-index.ts';
import { indexFilms } from './index-films.ts';
import { checkOutOlder, runOlder } from './older-version.ts';
import { ownEnvironment } from './own-environment.ts';
import { type SearchServer, startSearchServer } from './search-server.ts';
import { seededRandom } from './seeded-random.ts';
import { cloneDatabase, type TestDatabase } from './test-database.ts';
import { until } from './until.ts';
import { wantsWholeCorpus } from './whole-corpus.ts';

/** The last version that kept the moments of a video in one row, and nothing beside it. */
const withoutLayers = 'b32cc578c3a30dc09f21d387faa2b65e9aae134c';
const noHistory = `this copy of the project has no history back to ${withoutLayers.slice(0, 7)}, whose archive is to be opened`;
const sample = resolve(import.meta.dirname, '../samples/Harbour at dusk.mp4');
const records = wantsWholeCorpus ? 800 : 300;

const scratch = mkdtempSync(join(tmpdir(), 'rushes-older-archive-'));
const older = join(scratch, 'version');
const dataFolder = join(scratch, 'data');
let hasHistory = false;
let database: TestDatabase;
beforeAll(() => {
  hasHistory = checkOutOlder(withoutLayers, older);
}, 60_000);
afterAll(async () => {
  await database?.drop();
  rmSync(scratch, { recursive: true, force: true });
});

test('an archive of the version before gets its layers while it answers, also after a kill half way, and answers as it did', {
  timeout: 600_000,
}, async ({ skip }) => {
  skip(!hasHistory, noHistory);
  database = await cloneDatabase('template0');
  const { pool } = database;
  const settings = { RUSHES_DATA: dataFolder, DATABASE_URL: database.url, RUSHES_SAMPLES: '0' };
  const catalogue = join(scratch, 'records.jsonl');
  writeFileSync(catalogue, madeRecords());
  runOlder(older, ['ingest/import.ts', '--transcripts', catalogue, sample], settings);
  const left = await contentOf(pool);
  expect(left).toHaveLength(records + 1);

  await migrate(pool, { withoutBackup: true });
  // The film has all its sizes: nothing waits for a step that it was made without.
  expect((await pool.query(`select state from ingest_steps where step = $1`, [largerRenditionsStep])).rows).toEqual([{ state: 'skipped' }]);
  await indexFilms({ pool, ...openArchiveFiles(dataFolder) });
  const server = await startSearchServer({ dataFolder, pool });
  try {
    const before = await askEverything(server, pool);
    expect([...before.values()].filter((answer) => answer.includes('"results":[{')).length).toBeGreaterThan(100);

    const worker = startWorker(settings);
    const reached = await until(async () => (await countLaidOut(pool)) || undefined, { everyMs: 1 });
    await kill(worker);
    const afterKill = await countLaidOut(pool);
    expect([reached > 0, afterKill >= reached, afterKill < records]).toEqual([true, true, true]);
    expect(differences(before, await askEverything(server, pool))).toEqual([]);

    const next = startWorker(settings);
    const during = await Promise.all([1, 2, 3, 4].map(() => ask(server, 'harbour')));
    expect(new Set(during).size).toBe(1);
    await until(async () => (await countLaidOut(pool)) === records + 1);
    await kill(next);
    expect(differences(before, await askEverything(server, pool))).toEqual([]);

    // What the layers come to is what the row said, to the letter: nothing of it is written anew.
    for (const { id } of left) await inTransaction(pool, (db) => recomposeVideo(db, id));
    expect(await contentOf(pool)).toEqual(left);
    await indexFilms({ pool, ...openArchiveFiles(dataFolder) });
    expect(differences(before, await askEverything(server, pool))).toEqual([]);
  } finally {
    await server.close();
  }
});

const words = 'harbour crane tram rain dusk eagle landed signal lantern viaduct express lighthouse caravan dune aurora weather'.split(' ');
const names = ['Ida Storm', 'Nils Vik', 'ida storm', 'Ann & Bo <b>', 'José', 'Straße 9'];

/** Records of every kind that the import takes: with and without words' times, people at a time and for the whole film, odd and empty texts. */
function madeRecords(): string {
  const { next: random, below, pick } = seededRandom(7);
  const text = () => Array.from({ length: 3 + below(9) }, () => pick(words)).join(random() < 0.1 ? '\t ' : ' ');
  const line = () => {
    const start = below(60_000) / 100;
    const said = text();
    const timed = random() < 0.3 && { words: said.split(/\s+/).map((word, n) => ({ start: start + n * 0.3, text: word })) };
    return { start, end: start + 6, text: random() < 0.05 ? ' ' : said, ...(random() < 0.4 ? { speaker: pick(names) } : {}), ...timed };
  };
  const fact = () => (random() < 0.5 ? pick(names) : { name: pick(names), at: [below(600), below(600)] });
  const some = <T>(make: () => T, max: number) => Array.from({ length: below(max) }, make);
  const record = (n: number) => ({
    id: `record-${n}`,
    title: `${text()} ${n}`,
    language: pick(['en', 'de']),
    durationSeconds: 600,
    people: some(fact, 5),
    labels: some(fact, 4),
    brands: some(fact, 3),
    lines: some(line, 40),
    ocr: some(line, 6),
  });
  return Array.from({ length: records }, (_, n) => `${JSON.stringify(record(n))}\n`).join('');
}

/** All that videos say, and the revision that it is of. */
async function contentOf(pool: Pool): Promise<{ id: string; checksum: string }[]> {
  const { rows: types } = await pool.query<{ type: string }>(`
    select data_type as type from information_schema.columns where table_name = 'moments' and column_name = 'body'`);
  const body = types[0]?.type === 'bytea' ? "convert_from(m.body, 'UTF8')" : 'm.body';
  const { rows } = await pool.query<{ id: string; checksum: string }>(`
    select id, md5(concat_ws('|', v.revision, v.name, v.description, v.owner, v.recorded_at, v.place, v.language, v.rights, v.people::text,
                             v.labels::text, v.brands::text, v.external_id, ${body}, m.word_starts, m.moment_count)) as checksum
      from videos v join moments m on m.video_id = v.id order by id`);
  return rows;
}

/** The answers to a query for every word of the archive and for some that are harder, and every Index document, by what was asked. */
async function askEverything(server: SearchServer, pool: Pool): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ term: string }>('select term from vocabulary order by term');
  const words = rows.map(({ term }) => term).filter((term) => !/^\d{3,}$/.test(term));
  const hard = ['"harbour crane"', 'tram -rain', 'person:"Ida Storm"', 'label:"Nils Vik" dusk', 'harber', 'caravan OR aurora', ''];
  const answers = new Map<string, string>();
  const nothingElse = {
    shots: [],
    speech: { speechMs: [], noTranscript: null, noMeaning: null },
    keywords: [],
    placedTexts: [],
    faces: [],
  };
  const reader = { reading: 'admin', mayWatch: true, callerId: 'a' } as const;
  const presenting = { reader, secrets: loadSecrets(dataFolder), accountId: 'a' };
  for (const query of [...words, ...hard]) answers.set(query, await ask(server, query));
  const { rows: all } = await pool.query<{ id: string }>('select id from videos order by id');
  for (const { id } of all) {
    const [video] = await findVideos(pool, [id]);
    if (!video) throw new Error(`video ${id} is gone`);
    const moments = await findMoments(pool, id);
    answers.set(`Index of ${id}`, JSON.stringify(presentIndex({ video, moments, ...nothingElse, isSummarized: true }, presenting)));
  }
  return answers;
}

/** What was answered otherwise, from where it begins to differ. */
function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((asked) => {
    const [was = '', is = ''] = [before.get(asked), after.get(asked)];
    if (was === is) return [];
    const at = [...was].findIndex((letter, n) => letter !== is[n]);
    const from = Math.max(0, at - 80);
    return [`${asked}: …${was.slice(from, from + 200)}… became …${is.slice(from, from + 200)}…`];
  });
}

async function ask(server: SearchServer, query: string): Promise<string> {
  const address = `${server.searchAddress}?${new URLSearchParams({ query, accessToken: server.accessToken, pageSize: '25' })}`;
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${query}: ${answer.status} ${await answer.text()}`);
  // Frames are named anew for every answer, and every answer begins now.
  return (await answer.text()).replace(/"(thumbnailId|createdBefore|createdBeforeSignature)":"[^"]*"/g, '');
}

async function countLaidOut(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('select count(distinct video_id) as n from layers');
  return rows[0]?.n ?? 0;
}

function startWorker(settings: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [resolve(import.meta.dirname, '../commands/worker.ts')], {
    env: ownEnvironment(settings),
    stdio: 'ignore',
  });
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) throw new Error('the worker had ended by itself');
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
