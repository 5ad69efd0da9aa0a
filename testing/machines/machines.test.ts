import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openS3Store } from '#domain/files/s3-store.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { canMakeMedia, makeClip } from '../media-clips.ts';
import { putReport } from '../put-report.ts';
import { runImport } from '../run-import.ts';
import { type RunningArchive, startArchive } from '../running-archive.ts';
import { endPart, hasCeph, makeBucket, type S3Server, startS3Server } from '../s3-server.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';
import { until } from '../until.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';
import { writeTestPages } from '../write-test-pages.ts';

/*
 * Two machines of one archive: each a server and a worker with a folder of its own; one PostgreSQL and one Ceph object gateway for both.
 * npm run -s report:machines prints what comes of it.
 */
const isAble = canMakeMedia && hasCeph();
const filmsEach = 3;
const patience = { withinMs: 240_000, everyMs: 250 };

let root: string;
let database: TestDatabase;
let s3: S3Server;
let settings: Record<string, string>;
const machines: RunningArchive[] = [];

beforeAll(async () => {
  if (!isAble) return;
  root = mkdtempSync(join(tmpdir(), 'rushes-machines-'));
  database = await createTestDatabase();
  s3 = await startS3Server(join(root, 's3'));
  const { endpoint, bucket, region, accessKey, secretKey } = await makeBucket(s3.endpoint, 'machines');
  writeTestPages(join(root, 'pages'));
  loadSecrets(join(root, 'shared'));
  settings = {
    ...{ RUSHES_S3_ENDPOINT: endpoint, RUSHES_S3_BUCKET: bucket, RUSHES_S3_REGION: region },
    ...{ RUSHES_S3_ACCESS_KEY: accessKey, RUSHES_S3_SECRET_KEY: secretKey },
    ...{ RUSHES_SECRETS: join(root, 'shared', 'secrets.json'), RUSHES_PAGES: join(root, 'pages') },
    ...{ RUSHES_SAMPLES: '0', RUSHES_MEANING: '0', RUSHES_LOG: 'error' },
  };
  for (const name of ['a', 'b']) machines.push(await startArchive({ dataFolder: join(root, name), databaseUrl: database.url, env: settings }));
}, 300_000);
afterAll(async () => {
  if (!isAble) return;
  await Promise.all(machines.map((machine) => machine.stop()));
  for (const pid of s3.pids) await endPart(pid, 'SIGKILL');
  await database.drop();
  rmSync(root, { recursive: true, force: true });
}, 120_000);

test.skipIf(!isAble)('films that come in at either machine are found at both, by one index that nobody built twice', { timeout: 600_000 }, async ({ task }) => {
  await Promise.all(['a', 'b'].map((name) => importFilms(name, filmsEach)));
  const errors: string[] = [];
  for (const machine of machines)
    await until(async () => (await found(machine, 'heron')) === 2 * filmsEach, patience).catch((error: Error) => errors.push(error.message));
  const store = openS3Store(await bucketSettings(), { folder: join(root, 'looking') });
  const generations = new Set((await Array.fromAsync(store.list('index'))).map(({ key }) => key.split('/')[1]));
  const originals = (await Array.fromAsync(store.list('media'))).filter(({ key }) => key.endsWith('/original')).length;
  const { rows } = await database.pool.query<{ failed: number }>("select count(*)::int as failed from videos where state = 'Failed'");
  const figures = {
    ...{ check: 'imports', films: 2 * filmsEach, lost: 2 * filmsEach - originals, rebuilds: generations.size - 1 },
    ...{ failed: rows[0]?.failed ?? -1, errors: errors.length },
  };
  putReport(task, figures);
  expect(figures).toMatchObject({ lost: 0, rebuilds: 0, failed: 0, errors: 0 });
});

test.skipIf(!isAble)('a token of one machine, and the picture that an answer of it names, open at the other', { timeout: 120_000 }, async ({ task }) => {
  const [a, b] = machines;
  if (!a || !b) throw new Error('two machines');
  const token = await tokenOf(a);
  const answer = await search(b, token, 'heron');
  const [first] = answer.results;
  const picture = await fetch(`${b.origin}/trial/Accounts/${account}/Videos/${first?.id}/Thumbnails/${first?.thumbnailId}?accessToken=${token}`);
  const errors = [answer.results.length > 0, picture.ok].filter((isFine) => !isFine).length;
  putReport(task, { check: 'tokens', errors });
  expect([answer.results.length, picture.status, errors]).toEqual([2 * filmsEach, 200, 0]);
});

test.skipIf(!isAble)('while the object gateway does not answer searches go on, films wait, and none fails', { timeout: 600_000 }, async ({ task }) => {
  const gateway = s3.pids.at(-1) ?? 0;
  const [a] = machines;
  if (!a) throw new Error('a machine');
  const token = await tokenOf(a);
  process.kill(gateway, 'SIGSTOP');
  let [searches, errors] = [0, 0];
  const endsAt = Date.now() + awayMs;
  while (Date.now() < endsAt) {
    searches += 1;
    const answer = await search(a, token, searches % 2 ? 'heron' : `heron ${searches}`).catch(() => undefined);
    if (!answer) errors += 1;
  }
  process.kill(gateway, 'SIGCONT');
  await importFilms('a', 1, 'after');
  await until(async () => (await found(a, 'heron')) === 2 * filmsEach + 1, patience);
  const { rows } = await database.pool.query<{ failed: number }>("select count(*)::int as failed from videos where state = 'Failed'");
  putReport(task, { check: 'store-away', seconds: awayMs / 1_000, searches, errors, failed: rows[0]?.failed ?? -1 });
  expect([errors, rows[0]?.failed]).toEqual([0, 0]);
});

/** The whole minute where the report asks for it. */
const awayMs = wantsWholeCorpus ? 60_000 : 3_000;
const account = '7d0e1f52-6c3b-4a9e-9b1d-2f8a5c04e6d3';

async function bucketSettings() {
  return await makeBucket(s3.endpoint, 'machines');
}

/** Films with captions that name a heron, by the import command of a machine. */
async function importFilms(name: string, count: number, series = 'film'): Promise<void> {
  const folder = join(root, `footage-${name}-${series}`);
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < count; n++) {
    await makeClip(join(folder, `${series}-${name}-${n}.mp4`), ['-metadata', `comment=${name} ${series} ${n}`]);
    writeFileSync(join(folder, `${series}-${name}-${n}.vtt`), 'WEBVTT\n\n00:00:00.500 --> 00:00:02.000\nA heron stands in the reeds.\n');
  }
  const { exitCode, output } = await runImport([folder], { RUSHES_DATA: join(root, name), DATABASE_URL: database.url, ...settings });
  if (exitCode !== 0) throw new Error(output);
}

async function tokenOf({ origin }: RunningArchive): Promise<string> {
  return (await (await fetch(`${origin}/api/GetVideoIndexerAccountTokenV2`)).text()).replaceAll('"', '');
}

const Answer = z.object({ results: z.array(z.object({ id: z.string(), thumbnailId: z.string() })) });

async function search({ origin }: RunningArchive, accessToken: string, query: string): Promise<z.infer<typeof Answer>> {
  const address = `${origin}/trial/Accounts/${account}/Videos/Search?${new URLSearchParams({ query, accessToken, pageSize: '50' })}`;
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return Answer.parse(await answer.json());
}

async function found(machine: RunningArchive, query: string): Promise<number> {
  const answer = await search(machine, await tokenOf(machine), query).catch(() => undefined);
  return answer?.results.length ?? 0;
}
