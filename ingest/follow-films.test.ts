import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { listen } from '#domain/db/listen.ts';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { readIndexState } from '#domain/files/index-state.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { until } from '#testing/until.ts';
import { startIndexLoop } from './follow-films.ts';
import { startIndexChild } from './tools/index-child-process.ts';

const film = (id: string, text: string) => CatalogueRecord.parse({ id, title: id, lines: [{ start: 1, end: 2, text }] });

/** How long an indexing process stays where a test waits for it to tidy up. */
const briefly = 300;

/** Works on an archive whose index is kept by the loop, as in the worker. */
async function withLoop(archive: SearchableArchive, work: () => Promise<void>, lingerMs?: number): Promise<void> {
  const { pool, address } = archive.database;
  const folder = archiveFolderIn(dirname(archive.index.folder));
  const loop = startIndexLoop({ pool, address, folder, lingerMs, log: () => {} });
  try {
    await work();
  } finally {
    await loop.stop();
    await archive.drop();
  }
}

test('a published video is found, a changed one by its new words, and a deleted one no more', async () => {
  const archive = await createSearchableArchive();
  const { pool } = archive.database;
  await withLoop(archive, async () => {
    await createCatalogueVideos(pool, [film('one', 'The heron stands.')]);
    await until(async () => (await archive.found('heron ')).length === 1);
    await pool.query("update moments set body = convert_to(replace(convert_from(body, 'UTF8'), 'heron', 'bittern'), 'UTF8')");
    await pool.query('update videos set revision = revision + 1');
    await pool.query('notify videos_to_index');
    await until(async () => (await archive.found('bittern ')).length === 1 && (await archive.found('"heron"')).length === 0);
    await pool.query('delete from videos');
    await until(async () => (await pool.query('select from index_removals')).rowCount === 0);
    expect(await archive.found('bittern ')).toEqual([]);
    expect((await pool.query('select from vocabulary where video_count > 0')).rowCount).toBe(0);
  });
});

test('an indexer leaves nothing behind in the temporary folder, however it ends', async () => {
  const archive = await createSearchableArchive({ one: 'The heron stands.' });
  const temporary = mkdtempSync(join(tmpdir(), 'rushes-test-'));
  vi.stubEnv('TMPDIR', temporary);
  const child = startIndexChild({ address: archive.database.address, dataFolder: dirname(archive.index.folder) }, () => {});
  vi.unstubAllEnvs();
  // LanceDB has made its folder below the one of the child.
  await until(() => readdirSync(temporary, { recursive: true }).length > 1);
  child.kill();
  await child.ended;
  expect(readdirSync(temporary)).toEqual([]);
  rmSync(temporary, { recursive: true });
  await archive.drop();
});

test('a video that is withdrawn is found no more, and again when it is back', async () => {
  const archive = await createSearchableArchive({ one: 'The heron stands.' });
  const { pool } = archive.database;
  await withLoop(archive, async () => {
    await pool.query("update videos set state = 'Quarantined'");
    await until(async () => (await pool.query('select from index_removals')).rowCount === 0);
    expect(await archive.found('heron ')).toEqual([]);
    await pool.query("update videos set state = 'Processed'");
    await until(async () => (await archive.found('heron ')).length === 1);
  });
});

test.each([
  ['is missing', (folder: string) => rmSync(folder, { recursive: true })],
  ['has lost a file', (folder: string) => rmSync(largestFile(folder))],
  ['has a file cut short', (folder: string) => truncateSync(largestFile(folder), 10)],
])('an index that %s is noticed at the start and built anew', async (_, damage) => {
  const archive = await createSearchableArchive({ one: 'The heron stands.', two: 'A bittern booms.' });
  const before = await readIndexState(archive.index.folder);
  damage(archive.index.folder);
  await withLoop(archive, async () => {
    await until(async () => ![undefined, before?.generation].includes((await readIndexState(archive.index.folder))?.generation));
    expect(await archive.found('heron ')).toEqual(['one']);
    expect(await archive.found('bittern ')).toEqual(['two']);
  });
});

test('nothing is lost when the indexing process is killed again and again', async () => {
  const archive = await createSearchableArchive();
  const { pool, address } = archive.database;
  const filesOf = () => readdirSync(archive.index.folder, { recursive: true }).length;
  const indexed = async () => (await pool.query('select from videos where indexed_revision = revision')).rowCount ?? 0;
  let before = { files: 0, indexed: 0 };
  // The kill comes when it has the lock, has begun to write, or has written.
  const moments = [
    async () => (await lockSessionsOf(archive)) === 1,
    () => Promise.resolve(filesOf() > before.files),
    async () => (await indexed()) > before.indexed,
  ];
  const count = 120;
  for (let n = 0; n < count; n += 20) {
    await createCatalogueVideos(
      pool,
      Array.from({ length: 20 }, (_, m) => film(`film-${n + m}`, `The heron number ${n + m} stands.`)),
    );
    before = { files: filesOf(), indexed: await indexed() };
    const child = startIndexChild({ address, dataFolder: dirname(archive.index.folder) }, () => {});
    await until(async () => await moments[(n / 20) % moments.length]?.(), { everyMs: 2, passes: () => true });
    child.kill();
    expect(await child.ended).toBe(false);
    // The database hears of it a moment later.
    await until(async () => (await lockSessionsOf(archive)) === 0);
  }
  await withLoop(archive, async () => {
    await until(async () => (await pool.query('select from videos where indexed_revision <> revision')).rowCount === 0);
    await until(async () => (await archive.found('heron ', { pageSize: 100 })).length === 100);
    const rest = await archive.found('heron ', { pageSize: 100, skip: 100 });
    expect(rest).toHaveLength(count - 100);
  });
});

test('what comes while the index is tidied up is found without waiting for that', { timeout: 60_000 }, async () => {
  const archive = await createSearchableArchive();
  const { pool } = archive.database;
  const tidying = `select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%update search_index%'`;
  const pidsTidying = async () => (await pool.query<{ pid: number }>(tidying)).rows.map(({ pid }) => pid);
  await withLoop(
    archive,
    async () => {
      await createCatalogueVideos(pool, [film('one', 'The heron stands.')]);
      await until(async () => (await archive.found('heron ')).length === 1);
      // Tidying up ends by a change of this row: held, it goes on for as long as we like.
      const holder = await pool.connect();
      try {
        await holder.query('begin');
        await holder.query('select from search_index for update');
        const before = await until(async () => (await pidsTidying())[0]);
        await createCatalogueVideos(pool, [film('two', 'A bittern booms.')]);
        // The process that tidied up is gone, although nothing lets it end: another one is in its place.
        await until(async () => (await pidsTidying()).some((pid) => pid !== before));
      } finally {
        holder.release(true);
      }
      await until(async () => (await archive.found('bittern ')).length === 1);
      expect(await archive.found('heron ')).toEqual(['one']);
    },
    briefly,
  );
});

/** How many processes hold the lock on the index, or wait for it. */
async function lockSessionsOf({ database: { pool } }: SearchableArchive): Promise<number> {
  const sessions = `select from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and datname = current_database()`;
  return (await pool.query(sessions)).rowCount ?? 0;
}

/** Notes that somebody was forgotten so long ago. */
async function forget({ database: { pool } }: SearchableArchive, hoursAgo: number): Promise<void> {
  await pool.query(`insert into archive_facts (name, value) values ('index_forgets', (now() - $1 * interval '1 hour')::text)`, [hoursAgo]);
}
const forgetsStill = async ({ database: { pool } }: SearchableArchive) =>
  (await pool.query(`select from archive_facts where name = 'index_forgets'`)).rowCount === 1;
/** By the folder, where it stands a moment after the database knows of it. */
const generationOf = async ({ index }: SearchableArchive) => (await readIndexState(index.folder))?.generation;

test('an index that was made before somebody was forgotten is built anew as soon as the archive is at rest', async () => {
  const archive = await createSearchableArchive({ one: 'The heron stands.' });
  const before = await generationOf(archive);
  await forget(archive, 1);
  await withLoop(
    archive,
    async () => {
      await until(async () => !(await forgetsStill(archive)) && (await generationOf(archive)) !== before);
      expect(await archive.found('heron ')).toEqual(['one']);
    },
    briefly,
  );
});

test('in an archive that is never at rest it is built anew after twelve hours, also by a process that was at work before, and not earlier', {
  timeout: 90_000,
}, async () => {
  const archive = await createSearchableArchive({ one: 'The heron stands.' });
  const { pool } = archive.database;
  const lingerMs = 3_000;
  let films = 0;
  const oneMore = async () => await createCatalogueVideos(pool, [film(`more-${films++}`, 'A bittern booms.')]);
  await withLoop(
    archive,
    async () => {
      const before = await generationOf(archive);
      await oneMore();
      await until(async () => (await archive.found('bittern ')).length === 1);
      await forget(archive, 11);
      // The process that has been at work for longer than it stays without any.
      const isOlder = `select from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and datname = current_database() and backend_start < now() - $1 * interval '1 millisecond'`;
      await until(
        async () => {
          await oneMore();
          return (await pool.query(isOlder, [1.5 * lingerMs])).rowCount === 1;
        },
        { everyMs: 250 },
      );
      expect([await forgetsStill(archive), await generationOf(archive)]).toEqual([true, before]);
      await pool.query(`delete from archive_facts where name = 'index_forgets'`);
      await forget(archive, 13);
      await until(
        async () => {
          await oneMore();
          return !(await forgetsStill(archive)) && (await generationOf(archive)) !== before;
        },
        { withinMs: 30_000, everyMs: 500 },
      );
      await until(async () => (await archive.found('bittern ', { pageSize: 100 })).length === films);
      expect(await archive.found('heron ')).toEqual(['one']);
    },
    lingerMs,
  );
});

test('a loop that is stopped while it begins leaves no connection behind', async () => {
  const archive = await createSearchableArchive();
  const { pool, address } = archive.database;
  const folder = archiveFolderIn(dirname(archive.index.folder));
  await startIndexLoop({ pool, address, folder, log: () => {} }).stop();
  // Whoever begins now listens after the loop, had it gone on.
  const later = await listen(address, 'videos_to_index');
  const listening = "select from pg_stat_activity where datname = current_database() and query like 'listen %'";
  await until(async () => (await pool.query(listening)).rowCount === 1);
  later.close();
  await until(async () => (await pool.query(listening)).rowCount === 0);
  await archive.drop();
});

test('a database that dies under the indexing process ends it with one line', { timeout: 120_000 }, async () => {
  const archive = await createSearchableArchive({ one: 'The heron stands.' });
  const { pool, address } = archive.database;
  const lines: string[] = [];
  const child = startIndexChild({ address, dataFolder: dirname(archive.index.folder) }, (line) => lines.push(line));
  await until(async () => (await lockSessionsOf(archive)) === 1);
  const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  await pool.query(`select pg_terminate_backend(pid) ${others}`);
  expect(await child.ended).toBe(false);
  expect(lines).toEqual([expect.stringMatching(/^index: ended with 1: .+$/)]);
  await archive.drop();
});

function largestFile(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /\.(lance|idx)$/.test(entry.name),
  );
  const [first] = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  if (!first) throw new Error('the index has no files');
  return first;
}
