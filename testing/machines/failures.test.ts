import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { sha256Of } from '#domain/files/sha256.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { addPerson } from '../add-person.ts';
import { killOf, lives } from '../kills/victims.ts';
import { endsOf } from '../made-bytes.ts';
import { makeClip } from '../media-clips.ts';
import { putReport, skipWhere } from '../put-report.ts';
import { runCommand } from '../run-command.ts';
import { seededRandom } from '../seeded-random.ts';
import { storedBytes } from '../stored-bytes.ts';
import { beginning, pieceOfUpload, tus } from '../upload-client.ts';
import {
  countFailed,
  importFilms,
  isFoundAt,
  type MachineName,
  machineNames,
  search,
  startTwoMachines,
  type TwoMachines,
  tokenOf,
  whyNoTwoMachines,
} from './two-machines.ts';

/* What two machines of one archive lose where a part of them fails: nothing. */
/** `npm run -s report:machines -- --kills N`. */
const kills = Number(process.env.RUSHES_TEST_KILLS ?? 100);

let archive: TwoMachines;
beforeAll(async () => {
  if (!whyNoTwoMachines) archive = await startTwoMachines({ objectsIn: 'disk' });
}, 600_000);
afterAll(async () => {
  if (!whyNoTwoMachines) await archive.stop();
}, 120_000);

const hour = { timeout: 3_600_000 };

test('while the object gateway does not answer searches go on, films wait, and none fails', hour, async (context) => {
  skipWhere(context, 'store-away', whyNoTwoMachines);
  const { gateway } = archive.s3;
  const { a } = archive.running;
  await importFilms(archive, 'a', { series: 'here', count: 2, words: 'A heron stands' });
  const before = 2;
  await isFoundAt(a, 'heron', before);
  const token = await tokenOf(a);
  process.kill(gateway, 'SIGSTOP');
  const coming = importFilms(archive, 'b', { series: 'away', count: 1, words: 'A heron flies off' }).catch(() => 'told to come again');
  let [searches, errors] = [0, 0];
  for (const endsAt = Date.now() + 60_000; Date.now() < endsAt; searches++)
    await search(a, token, searches % 2 ? 'heron' : `heron ${searches}`).catch(() => errors++);
  process.kill(gateway, 'SIGCONT');
  // An import that could not lay a file down says so, and is called again.
  if (await coming) await importFilms(archive, 'b', { series: 'away', count: 1, words: 'A heron flies off' });
  const isFound = await isFoundAt(archive.running.a, 'heron', before + 1);
  const figures = { errors, failed: await countFailed(archive), lost: isFound ? 0 : 1 };
  putReport(context.task, { check: 'store-away', seconds: 60, searches, ...figures });
  expect(figures).toEqual({ errors: 0, failed: 0, lost: 0 });
});

test('an upload that was begun at a machine that is killed goes on at the other', hour, async (context) => {
  skipWhere(context, 'upload-elsewhere', whyNoTwoMachines);
  const person = await addPerson({ pool: archive.database.pool, secrets: archive.secrets }, { editor: true });
  const clip = join(archive.root, 'begun.mp4');
  await makeClip(clip, ['-metadata', 'comment=begun at one machine']);
  const film = readFileSync(clip);
  const ask = (
    at: MachineName,
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Uint8Array<ArrayBuffer> | string,
  ) => {
    const { origin } = archive.running[at];
    return fetch(`${origin}${path}`, { method, headers: { cookie: person.cookie, origin, ...headers }, ...(body ? { body } : {}) });
  };
  const begun = await ask('a', 'POST', '/api/uploads', beginning(film.length, { filename: 'begun.mp4', ends: endsOf(film) }));
  const upload = begun.headers.get('location') ?? '';
  const send = (at: MachineName, start: number, end: number) =>
    ask(at, 'PATCH', upload, { ...pieceOfUpload, 'upload-offset': String(start) }, new Uint8Array(film.subarray(start, end)));
  const half = Math.floor(film.length / 2);
  expect((await send('a', 0, half)).status).toBe(204);
  await killOf('server', archive.folderOf('a'));
  const has = Number((await ask('b', 'HEAD', upload, tus)).headers.get('upload-offset'));
  expect((await send('b', has, film.length)).status).toBe(204);
  const finishing = JSON.stringify({ sha256: sha256Of(film), sidecars: [] });
  const finish = () => ask('b', 'POST', `${upload}/finish`, { 'content-type': 'application/json' }, finishing);
  const { videoId } = z.object({ videoId: z.string() }).parse(await (await finish()).json());
  await archive.startAgain('a');
  const { store } = archive;
  const kept = await storedBytes(store, toVideoKeys(videoId).original);
  const figures = {
    lost: half - has,
    differing: sha256Of(kept) === sha256Of(film) ? 0 : 1,
    orphans: (await Array.fromAsync(store.list('parts'))).length,
  };
  putReport(context.task, { check: 'upload-elsewhere', bytes: film.length, ...figures });
  expect(figures).toEqual({ lost: 0, differing: 0, orphans: 0 });
});

test(
  'kill -9 of workers, writers of the index, servers, the gateway, the store of objects and the database loses no film and leaves no half version',
  hour,
  async (context) => {
    skipWhere(context, 'kills', whyNoTwoMachines);
    const random = seededRandom(20_261_125);
    const figures = { lost: 0, twice: 0, failed: 0, halfVersions: 0 };
    for (let round = 0; round < kills; round++) {
      const word = `otter${round}`;
      const film = { series: word, count: 1, words: `An ${word} swims` };
      const at: MachineName = random.pick(machineNames) ?? 'a';
      const importing = importFilms(archive, at, film).then(
        () => true,
        () => false,
      );
      await wait(random.below(6_000));
      await killOne(random.pick(victims) ?? 'worker', random.pick(machineNames) ?? 'a');
      // A command that was told to come again is called again.
      if (!(await importing)) await importFilms(archive, at, film);
      for (const name of machineNames) if (!(await isFoundAt(archive.running[name], `"${word}"`, 1))) figures.lost += 1;
    }
    const { rows } = await archive.database.pool.query<{ films: number }>(
      "select count(*)::int as films from videos where file_name like 'otter%' and state = 'Processed'",
    );
    figures.twice = Math.max(0, (rows[0]?.films ?? 0) - kills);
    figures.failed = await countFailed(archive);
    for (const name of machineNames) {
      const env = { ...archive.settings, RUSHES_DATA: archive.folderOf(name), DATABASE_URL: archive.database.url };
      const { exitCode, output } = await runCommand('commands/check-index.ts', [], env);
      if (exitCode !== 0) figures.halfVersions += 1;
      if (exitCode !== 0) console.info(output);
    }
    putReport(context.task, { check: 'kills', kills, ...figures });
    expect(figures).toEqual({ lost: 0, twice: 0, failed: 0, halfVersions: 0 });
  },
);

const victims = ['index', 'worker', 'server', 'gateway', 'objects', 'database'] as const;

async function killOne(victim: (typeof victims)[number], name: MachineName): Promise<void> {
  if (victim === 'database') {
    await archive.postgres.killPrimary();
    return await archive.postgres.startPrimary();
  }
  if (victim === 'gateway') return await archive.killGateway();
  if (victim === 'objects') return await archive.killObjects();
  const folder = archive.folderOf(name);
  // The writer of the index lives only while there is something to write.
  await killOf(lives(victim, folder) ? victim : 'worker', folder);
  if (victim === 'server') await archive.startAgain(name);
}
