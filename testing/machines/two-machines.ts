import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { openPool, type Pool } from '#domain/db/database.ts';
import { openS3Store } from '#domain/files/s3/s3-store.ts';
import type { FileStore } from '#domain/files/store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { readSealedSecrets } from '#domain/tokens/sealed-secrets.ts';
import type { Secrets } from '#domain/tokens/secrets.ts';
import type { Person } from '../add-person.ts';
import { hasDebianPostgres } from '../debian-postgres.ts';
import { canMakeMedia, makeClip } from '../media-clips.ts';
import { runImport } from '../run-import.ts';
import { type RunningArchive, startArchive } from '../running-archive.ts';
import { endPart, hasCeph, type Keeping, makeBucket, type S3Server, startGateway, startObjects, startS3Server } from '../s3-server.ts';
import { until } from '../until.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';
import { withoutLimits } from '../without-limits.ts';
import { writeTestPages } from '../write-test-pages.ts';
import { openRelay, type Relay } from './relay.ts';
import { startTwoPostgres, type TwoPostgres } from './two-postgres.ts';

/** Why a database with one that follows it cannot be tried here with films, where it cannot. */
export const whyNoTwoPostgres = reasonAgainstPostgres();
/** The same of two machines. */
export const whyNoTwoMachines =
  whyNoTwoPostgres ?? (hasCeph() ? undefined : 'only root on Debian may install and start the object gateway of Ceph');

function reasonAgainstPostgres(): string | undefined {
  if (!wantsWholeCorpus) return 'it takes minutes: npm run -s report:machines';
  if (!canMakeMedia) return 'ffmpeg is not installed here';
  return hasDebianPostgres ? undefined : 'PostgreSQL of Debian is not installed here';
}

/** Two machines of one archive: each a server and a worker with a folder of its own; one PostgreSQL, with one that follows it, and one Ceph object gateway for both. */
export interface TwoMachines {
  readonly root: string;
  readonly database: { readonly url: string; readonly pool: Pool };
  readonly postgres: TwoPostgres;
  readonly s3: S3Server;
  /** The store of both, as somebody else sees it. */
  readonly store: FileStore;
  /** The way of both machines to the gateway. */
  readonly toStore: Relay;
  readonly secrets: Secrets;
  /** What every process of the archive is started with. */
  readonly settings: Readonly<Record<string, string>>;
  /** Both as they run now. */
  readonly running: { a: RunningArchive; b: RunningArchive };
  folderOf(name: MachineName): string;
  /** Starts the server and worker of a machine again, whose server is gone. */
  startAgain(name: MachineName): Promise<void>;
  /** Ends the gateway as a crash would, and starts it again where it was. */
  killGateway(): Promise<void>;
  /** The same of the process behind it that holds the objects, and waits until they are there again. */
  killObjects(): Promise<void>;
  stop(): Promise<void>;
}

export const machineNames = ['a', 'b'] as const;
export type MachineName = (typeof machineNames)[number];

/** Starts all of it. Objects that are kept in memory are lost with the process that holds them. */
export async function startTwoMachines({ objectsIn = 'memory' }: { objectsIn?: Keeping } = {}): Promise<TwoMachines> {
  const root = mkdtempSync(join(tmpdir(), 'rushes-machines-'));
  const postgres = await startTwoPostgres();
  const database = { url: postgres.url, pool: openPool({ connectionString: postgres.url }) };
  const s3 = await startS3Server(join(root, 's3'), objectsIn);
  const bucketSettings = await makeBucket(s3.endpoint, 'machines');
  const { endpoint, bucket, region, accessKey, secretKey } = bucketSettings;
  const store = openS3Store(bucketSettings, { folder: join(root, 'looking') });
  const toStore = await openRelay(Number(new URL(endpoint).port));
  writeTestPages(join(root, 'pages'));
  const secretsKey = randomBytes(32);
  const settings = {
    RUSHES_S3_ENDPOINT: `http://127.0.0.1:${toStore.port}`,
    RUSHES_S3_BUCKET: bucket,
    RUSHES_S3_REGION: region,
    RUSHES_S3_ACCESS_KEY: accessKey,
    RUSHES_S3_SECRET_KEY: secretKey,
    RUSHES_SECRETS_KEY: secretsKey.toString('base64url'),
    RUSHES_PAGES: join(root, 'pages'),
    RUSHES_SAMPLES: '0',
    RUSHES_MEANING: '0',
    RUSHES_LOG: 'error',
    RUSHES_INGEST: 'playable',
    ...withoutLimits,
  };
  const folderOf = (name: MachineName) => join(root, name);
  const start = (name: MachineName) => startArchive({ dataFolder: folderOf(name), databaseUrl: database.url, env: settings });
  // One after the other: the first one makes the archive.
  const running = { a: await start('a'), b: await start('b') };
  const secrets = await readSealedSecrets(database.pool, secretsKey);
  if (!secrets) throw new Error('the first machine brought no secrets into the database');
  let { objects, gateway } = s3;
  return {
    root,
    database,
    postgres,
    s3,
    store,
    toStore,
    secrets,
    settings,
    running,
    folderOf,
    startAgain: async (name) => {
      await running[name].stop();
      running[name] = await start(name);
    },
    killGateway: async () => {
      await endPart(gateway, 'SIGKILL');
      gateway = startGateway(join(root, 's3'), Number(new URL(endpoint).port));
      await untilAnswered(() => fetch(endpoint));
    },
    killObjects: async () => {
      await endPart(objects, 'SIGKILL');
      objects = startObjects(join(root, 's3'));
      await untilAnswered(() => store.stat(toVideoKeys('0000000000').original));
    },
    stop: async () => {
      await Promise.all([running.a.stop(), running.b.stop()]);
      for (const pid of [gateway, objects, ...s3.pids]) await endPart(pid, 'SIGKILL');
      await database.pool.end();
      await postgres.stop();
      toStore.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function untilAnswered(ask: () => Promise<unknown>): Promise<void> {
  const answers = () =>
    ask().then(
      () => true,
      () => false,
    );
  await until(answers, { withinMs: 120_000, otherwise: () => 'The store does not come back.' });
}

/** Has the import command of a machine take in films, each with a caption that says these words and its number. Throws what it said where it failed. */
export async function importFilms(
  { root, database, settings, folderOf }: Pick<TwoMachines, 'root' | 'database' | 'settings' | 'folderOf'>,
  name: MachineName,
  { series, count, words }: { series: string; count: number; words: string },
): Promise<void> {
  const folder = join(root, `footage-${name}-${series}`);
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < count; n++) {
    const stem = join(folder, `${series}-${name}-${n}`);
    await makeClip(`${stem}.mp4`, ['-metadata', `comment=${name} ${series} ${n}`]);
    writeFileSync(`${stem}.vtt`, `WEBVTT\n\n00:00:00.500 --> 00:00:02.000\n${words}.\n`);
  }
  const { exitCode, output } = await runImport([folder], { RUSHES_DATA: folderOf(name), DATABASE_URL: database.url, ...settings });
  if (exitCode !== 0) throw new Error(output);
}

const account = '7d0e1f52-6c3b-4a9e-9b1d-2f8a5c04e6d3';
const Answer = z.object({ results: z.array(z.object({ id: z.string(), thumbnailId: z.string() })) });

/** A guest's token, as the pages ask for it. */
export async function tokenOf({ origin }: Pick<RunningArchive, 'origin'>): Promise<string> {
  const answer = await fetch(`${origin}/api/GetVideoIndexerAccountTokenV2`);
  return z.object({ accessToken: z.string() }).parse(await answer.json()).accessToken;
}

/** The films that answer. Throws where the answer is an error. */
export async function search(
  { origin }: Pick<RunningArchive, 'origin'>,
  accessToken: string,
  query: string,
): Promise<z.infer<typeof Answer>['results']> {
  const address = `${origin}/trial/Accounts/${account}/Videos/Search?${new URLSearchParams({ query, accessToken, pageSize: '50' })}`;
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return Answer.parse(await answer.json()).results;
}

/** The address of a picture that an answer named. */
export function pictureAddress(
  { origin }: Pick<RunningArchive, 'origin'>,
  film: { id: string; thumbnailId: string },
  token: string,
): string {
  return `${origin}/trial/Accounts/${account}/Videos/${film.id}/Thumbnails/${film.thumbnailId}?accessToken=${token}`;
}

/** How many films a guest finds there; none while it does not answer. */
export async function countFound(machine: Pick<RunningArchive, 'origin'>, query: string): Promise<number> {
  const found = await tokenOf(machine)
    .then((token) => search(machine, token, query))
    .catch(() => []);
  return found.length;
}

/** Whether a machine comes to find so many films, within minutes. */
export async function isFoundAt(machine: Pick<RunningArchive, 'origin'>, query: string, films: number): Promise<boolean> {
  const finds = async () => (await countFound(machine, query)) === films;
  return await until(finds, { withinMs: 300_000, everyMs: 100 }).catch(() => false);
}

/** How many films the archive has given up. */
export async function countFailed({ database }: Pick<TwoMachines, 'database'>): Promise<number> {
  const { rows } = await database.pool.query<{ failed: number }>("select count(*)::int as failed from videos where state = 'Failed'");
  return rows[0]?.failed ?? -1;
}

/** How a machine answers somebody who asks for the token of a film. */
export async function videoTokenStatus({ origin }: Pick<RunningArchive, 'origin'>, id: string, person: Person): Promise<number> {
  const headers = { authorization: `Bearer ${await person.bearer()}` };
  return (await fetch(`${origin}/api/GetVideoIndexerVideoAccessTokenV2/${id}`, { headers })).status;
}
