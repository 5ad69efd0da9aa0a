import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pool } from '#domain/db/database.ts';
import { openDatabase } from '#domain/db/open-database.ts';
import { sha256Of } from '#domain/files/sha256.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { readConfig } from '#server/config.ts';
import { addPerson, type Person } from './add-person.ts';
import { readCorpus } from './corpus/read-corpus.ts';
import { endsOf } from './made-bytes.ts';
import { canMakeMedia, makeClip } from './media-clips.ts';
import { buildMedia, MediaRecipe, type Surroundings } from './media-recipes.ts';
import { putReport } from './put-report.ts';
import { runImport } from './run-import.ts';
import { type RunningArchive, startArchive } from './running-archive.ts';
import { seededRandom, turnOfTests } from './seeded-random.ts';
import { until } from './until.ts';
import { formOf, pieceOfUpload, tus } from './upload-client.ts';
import { wantsWholeCorpus } from './whole-corpus.ts';
import { withoutLimits } from './without-limits.ts';
import { writeTestPages } from './write-test-pages.ts';

/** How many of the hostile files go each way; others with every turn, where not all do. */
const perWay = wantsWholeCorpus ? Number.POSITIVE_INFINITY : 2;
const chance = seededRandom(turnOfTests);
/** What takes minutes to build or to encode, in a quick run. */
const slow = new Set(wantsWholeCorpus ? [] : ['long-4h-silent.mp4', '8k.mp4', 'frames-1e5.mp4']);
const recipes = readCorpus('media', MediaRecipe).filter(({ name }) => !slow.has(name));
/** The ffmpeg that is set for tests, and the one that the archive brings along: it takes that where none is set and the path has none that is new enough. */
const tools = { ffmpeg: {}, 'node-av': { FFMPEG_PATH: '' } };
/** In a quick run the one, and the other with every second turn. */
const toolsTaken = Object.entries(tools).filter((_, n) => wantsWholeCorpus || n === turnOfTests % 2);
const patienceInMs = wantsWholeCorpus ? 5_400_000 : 600_000;

/** An archive of its own, and who brings footage to it. */
interface Door {
  readonly archive: RunningArchive;
  readonly dataFolder: string;
  readonly watched: string;
  /** By which its processes find the tool that reads footage. */
  readonly findsTool: Record<string, string>;
  readonly pool: Pool;
  readonly editor: Person;
}

/** Brings a file in; the code that it was refused with on the way, if it was. */
type Way = (door: Door, path: string) => Promise<string | undefined>;

const ways: Readonly<Record<string, Way>> = { import: byImport, upload: byUpload, watched: byWatchedFolder, script: byScript };
let folder: string;
let canary: Server;
let canaryVisits = 0;
let around: Surroundings;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rushes-ways-'));
  canary = createServer((socket) => {
    canaryVisits += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const address = canary.address();
  around = { folder, canaryPort: typeof address === 'object' && address ? address.port : 0, victim: join(folder, 'victim.ts') };
  if (canMakeMedia) await makeClip(around.victim, ['-f', 'mpegts']);
});
afterAll(() => {
  canary.close();
  rmSync(folder, { recursive: true, force: true });
});

const doors = toolsTaken.flatMap(([tool, findsTool]) => Object.entries(ways).map(([way, bring]) => ({ tool, findsTool, way, bring })));

test.skipIf(!canMakeMedia).for(doors)(
  'hostile, damaged and unusual files are judged as they should be by the way in: $way, with $tool',
  { timeout: wantsWholeCorpus ? 14_400_000 : 3_600_000 },
  async ({ tool, findsTool, way, bring }, { task }) => {
    const taken = recipes
      .map((recipe) => ({ recipe, at: chance.next() }))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, perWay)
      .map(({ recipe }) => recipe);
    const door = await openDoor(join(folder, `${way} ${tool}`), findsTool);
    const wrong: string[] = [];
    try {
      const brought: { recipe: MediaRecipe; path: string; refused: string | undefined }[] = [];
      for (const recipe of taken) {
        const path = await buildMedia(recipe, around);
        brought.push({ recipe, path, refused: await bring(door, path) });
      }
      for (const { recipe, path, refused } of brought) {
        const verdict = refused ?? (await verdictOf(door, path));
        if (!isRight(recipe, verdict)) wrong.push(`${recipe.id} ${recipe.name}: ${verdict}`);
        rmSync(join(folder, recipe.id), { recursive: true });
      }
    } finally {
      await door.pool.end();
      await door.archive.stop();
    }
    putReport(task, { check: 'every-way-in', way, tool, files: taken.length, wrongVerdicts: wrong.length, canaryVisits });
    expect(wrong).toEqual([]);
    expect(canaryVisits).toBe(0);
  },
);

async function openDoor(below: string, findsTool: Door['findsTool']): Promise<Door> {
  const [dataFolder, watched, pages] = [join(below, 'data'), join(below, 'watched'), join(below, 'pages')];
  mkdirSync(watched, { recursive: true });
  writeTestPages(pages);
  // What is understood of a film comes after the verdict.
  const env = {
    RUSHES_PAGES: pages,
    RUSHES_SAMPLES: '0',
    RUSHES_LOG: 'error',
    RUSHES_WATCH: watched,
    RUSHES_INGEST: 'playable',
    ...withoutLimits,
    ...findsTool,
  };
  const archive = await startArchive({ dataFolder, env });
  const { pool } = await openDatabase({ dataFolder });
  return {
    archive,
    dataFolder,
    watched,
    findsTool,
    pool,
    editor: await addPerson({ pool, secrets: loadSecrets(dataFolder) }, { editor: true }),
  };
}

async function verdictOf({ pool }: Door, path: string): Promise<string> {
  const name = basename(path);
  return await until(
    async () => {
      const { rows } = await pool.query<{ verdict: string }>(
        `select coalesce(failure_code, state) as verdict from videos where file_name = $1 and state in ('Processed', 'Failed')
          union all select 'refused at the door' from watched_files where file_name = $1 and state = 'refused'`,
        [name],
      );
      return rows[0]?.verdict;
    },
    { withinMs: patienceInMs, otherwise: () => `${name} got no verdict` },
  );
}

function isRight({ expect: wanted, code }: MediaRecipe, verdict: string): boolean {
  if (wanted === 'processed') return verdict === 'Processed';
  // What a door says of a file that it does not let in is its own.
  if (wanted === 'rejected') return verdict === code || verdict === 'refused at the door';
  return true;
}

async function byImport({ dataFolder, findsTool, pool }: Door, path: string): Promise<string | undefined> {
  await runImport([path], { RUSHES_DATA: dataFolder, RUSHES_INGEST: 'playable', ...findsTool });
  return await atTheDoor(pool, path);
}

async function byUpload({ archive: { origin }, editor, pool }: Door, path: string): Promise<string | undefined> {
  const bytes = readFileSync(path);
  const headers = { cookie: editor.cookie, origin };
  const metadata = Object.entries({ filename: basename(path), ends: endsOf(bytes) }).map(([key, value]) => `${key} ${btoa(value)}`);
  const length = { 'upload-length': String(bytes.length), 'upload-metadata': metadata.join(',') };
  const begun = await fetch(`${origin}/api/uploads`, { method: 'POST', headers: { ...headers, ...tus, ...length } });
  if (!begun.ok) return 'refused at the door';
  const address = `${origin}${begun.headers.get('location')}`;
  await fetch(address, { method: 'PATCH', headers: { ...headers, ...pieceOfUpload, 'upload-offset': '0' }, body: bytes });
  const body = JSON.stringify({ sha256: sha256Of(bytes), sidecars: [] });
  const finished = await fetch(`${address}/finish`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  return finished.ok ? await atTheDoor(pool, path) : 'refused at the door';
}

async function byScript({ archive: { origin }, editor, pool }: Door, path: string): Promise<string | undefined> {
  const { location, accountId } = readConfig({}).videoService;
  const { type, body } = formOf(readFileSync(path), basename(path));
  const answer = await fetch(`${origin}/${location}/Accounts/${accountId}/Videos?name=${randomBytes(4).toString('hex')}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await editor.editToken()}`, 'content-type': type },
    body,
  });
  return answer.ok ? await atTheDoor(pool, path) : 'refused at the door';
}

/** What becomes of it is told later: the folder is looked through now and then. */
async function byWatchedFolder({ watched }: Door, path: string): Promise<undefined> {
  await copyFile(path, join(watched, `${basename(path)}.part`));
  renameSync(join(watched, `${basename(path)}.part`), join(watched, basename(path)));
}

/** A file without a record came no further than the door. */
async function atTheDoor(pool: Pool, path: string): Promise<string | undefined> {
  const { rowCount } = await pool.query('select from videos where file_name = $1', [basename(path)]);
  return rowCount ? undefined : 'refused at the door';
}
