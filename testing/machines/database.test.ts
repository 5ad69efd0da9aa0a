import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openPool, type Pool } from '#domain/db/database.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { deleteFilm } from '#domain/videos/deletions.ts';
import { addPerson } from '../add-person.ts';
import { putReport, skipWhere } from '../put-report.ts';
import { type RunningArchive, startArchive } from '../running-archive.ts';
import { until } from '../until.ts';
import { withoutLimits } from '../without-limits.ts';
import { writeTestPages } from '../write-test-pages.ts';
import { countFound, importFilms, search, tokenOf, whyNoTwoPostgres } from './two-machines.ts';
import { startTwoPostgres, type TwoPostgres } from './two-postgres.ts';

/* An archive whose database is followed by another one, and archived: `npm run -s report:machines`. */
const hour = { timeout: 3_600_000 };

interface Ground {
  readonly root: string;
  readonly postgres: TwoPostgres;
  readonly pool: Pool;
  readonly settings: Readonly<Record<string, string>>;
  /** As it runs now. */
  archive: RunningArchive;
  stop(): Promise<void>;
}

async function startGround(): Promise<Ground> {
  const root = mkdtempSync(join(tmpdir(), 'rushes-database-'));
  writeTestPages(join(root, 'pages'));
  const settings = {
    RUSHES_PAGES: join(root, 'pages'),
    RUSHES_SAMPLES: '0',
    RUSHES_MEANING: '0',
    RUSHES_LOG: 'error',
    RUSHES_INGEST: 'playable',
    ...withoutLimits,
  };
  const postgres = await startTwoPostgres();
  const pool = openPool({ connectionString: postgres.url });
  const ground: Ground = {
    root,
    postgres,
    settings,
    pool,
    archive: await startOn({ root, postgres, settings }),
    stop: async () => {
      await ground.archive.stop();
      await pool.end();
      await postgres.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
  return ground;
}

function startOn({ root, postgres, settings }: Pick<Ground, 'root' | 'postgres' | 'settings'>): Promise<RunningArchive> {
  return startArchive({ dataFolder: join(root, 'a'), databaseUrl: postgres.url, env: settings });
}

async function addFilms({ root, postgres, pool, settings }: Ground, word: string, count: number): Promise<void> {
  const archive = { root, settings, database: { url: postgres.url, pool }, folderOf: () => join(root, 'a') };
  await importFilms(archive, 'a', { series: word, count, words: `A ${word} goes by` });
}

test('a database that is restored to a moment names no file that is not there', hour, async (context) => {
  skipWhere(context, 'restored-to-a-moment', whyNoTwoPostgres);
  const ground = await startGround();
  const { pool, postgres, root } = ground;
  await addFilms(ground, 'goshawk', 2);
  const before = await filmsOf(pool);
  // The moment is a second of its own, with nothing in it.
  await wait(1_000);
  const { rows: moments } = await pool.query<{ now: string }>('select clock_timestamp()::text as now');
  await wait(1_000);
  const { uid } = await addPerson({ pool, secrets: loadSecrets(join(root, 'a')) }, { editor: true });
  const [first] = before;
  if (!first) throw new Error('no film came in');
  await deleteFilm(pool, { videoId: first.id, name: first.name, reason: 'It goes.', actorUid: uid, from: '127.0.0.1' });
  await addFilms(ground, 'kestrel', 1);
  await untilArchived(pool);
  await ground.archive.stop();
  await postgres.restoreTo(moments[0]?.now ?? '');
  ground.archive = await startOn(ground);
  await until(async () => (await countFound(ground.archive, 'goshawk')) === 2, { withinMs: 120_000 });
  const after = await filmsOf(pool);
  const store = openLocalStore(join(root, 'a'));
  const missing: string[] = [];
  for (const { id } of after) {
    const { original, poster, hls } = toVideoKeys(id);
    for (const key of [original, poster, `${hls}/master.m3u8`]) if (!(await store.stat(key))) missing.push(key);
  }
  await ground.stop();
  putReport(context.task, {
    check: 'restored-to-a-moment',
    films: after.length,
    missing: missing.length,
    lost: before.length - after.length,
  });
  expect({ after, missing }).toEqual({ after: before, missing: [] });
});

test('when the one that follows takes over, searches come back and no film that was acknowledged is lost', hour, async (context) => {
  skipWhere(context, 'promotion', whyNoTwoPostgres);
  const ground = await startGround();
  await addFilms(ground, 'osprey', 3);
  const token = await tokenOf(ground.archive);
  const asked: { atMs: number; isGood: boolean }[] = [];
  let isAsking = true;
  const asking = (async () => {
    for (let n = 0; isAsking; n++) {
      const isGood = await search(ground.archive, token, `osprey ${n}`).then(
        () => true,
        () => false,
      );
      asked.push({ atMs: Date.now(), isGood });
      await wait(20);
    }
  })();
  const coming = addFilms(ground, 'harrier', 2).then(
    () => true,
    () => false,
  );
  await until(async () => (await filmsOf(ground.pool)).length > 3);
  await ground.postgres.killPrimary();
  await wait(2_000);
  ground.postgres.promote();
  await until(() =>
    ground.pool.query('create temporary table answers ()').then(
      () => true,
      () => false,
    ),
  );
  const answersAtMs = Date.now();
  await until(() => asked.some(({ atMs, isGood }) => isGood && atMs > answersAtMs));
  const backMs = (asked.find(({ atMs, isGood }) => isGood && atMs > answersAtMs)?.atMs ?? 0) - answersAtMs;
  await wait(2_000);
  isAsking = false;
  await asking;
  const lateErrors = asked.filter(({ atMs, isGood }) => !isGood && atMs > answersAtMs + 1_000).length;
  // A command that was told to come again is called again.
  if (!(await coming)) await addFilms(ground, 'harrier', 2);
  const find = async (word: string, films: number) =>
    await until(async () => (await countFound(ground.archive, word)) === films, { withinMs: 120_000 }).then(
      () => 0,
      () => 1,
    );
  const lost = (await find('osprey', 3)) + (await find('harrier', 2));
  await ground.stop();
  putReport(context.task, { check: 'promotion', backMs, errors: lateErrors, lost });
  expect({ lost, lateErrors }).toEqual({ lost: 0, lateErrors: 0 });
});

async function filmsOf(pool: Pool): Promise<{ id: string; name: string }[]> {
  return (await pool.query<{ id: string; name: string }>('select id, name from videos order by id')).rows;
}

/** Waits until everything that was written so far lies in the archive of the database. */
async function untilArchived(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ wal: string }>('select pg_walfile_name(pg_switch_wal()) as wal');
  await until(async () => {
    const { rows: archived } = await pool.query<{ last: string | null }>('select last_archived_wal as last from pg_stat_archiver');
    return (archived[0]?.last ?? '') >= (rows[0]?.wal ?? '');
  });
}
