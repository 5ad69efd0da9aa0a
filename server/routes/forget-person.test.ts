import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { backUpArchive } from '#domain/backup/back-up-archive.ts';
import { beginRestore } from '#domain/backup/begin-restore.ts';
import { restoreArchive } from '#domain/backup/restore-archive.ts';
import { toIndexCopy } from '#domain/files/index-copy.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { readStored } from '#domain/files/read-stored.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { type FaceGroup, faceMarkOf } from '#domain/moments/faces.ts';
import { rebuildIndex } from '#domain/search-index/rebuild-index.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';
import { applyErasures } from '#domain/videos/people/forget-person.ts';
import { findFaces } from '#domain/videos/people/name-person.ts';
import { keepPiece } from '#domain/videos/step-pieces.ts';
import { addFilm, type Film } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { findFacesIn, seenFace } from '#testing/faces-in-film.ts';
import { indexFilms } from '#testing/index-films.ts';
import { startArchive } from '#testing/running-archive.ts';
import { cloneDatabase } from '#testing/test-database.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';

let server: TestServer;
let admin: Person;
const backups = mkdtempSync(join(tmpdir(), 'rushes-forget-'));
beforeEach(async () => {
  server = await startTestServer(withoutLimits);
  admin = await addPerson(server.context, { admin: true });
});
afterEach(() => server.stop());
afterAll(() => rmSync(backups, { recursive: true }));

const [reporter, operator] = [seenFace([620, 160, 80, 140], 0), seenFace([380, 450, 85, 160], 3_000)];

async function filmOf(groups: readonly FaceGroup[], film: Film = {}): Promise<string> {
  const id = await addFilm(server.context, film);
  await findFacesIn(server.context, id, groups);
  return id;
}

function ask(method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, payload?: object, person = admin) {
  const headers = { cookie: person.cookie, origin: 'http://localhost:80', host: 'localhost:80', 'content-type': 'application/json' };
  return server.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
}

const name = (id: string, face: FaceGroup, replaces: string, text: string) =>
  ask('PUT', `/api/videos/${id}/faces/${faceMarkOf(face)}`, { replaces, name: text });
const forget = (id: string, face: FaceGroup, who: { name: string; everywhere?: boolean }, person?: Person) =>
  ask('DELETE', `/api/videos/${id}/faces/${faceMarkOf(face)}`, { everywhere: false, ...who }, person);
const pictureOf = (id: string, face: FaceGroup, store = server.context.store) =>
  readStored(store, `${toVideoKeys(id).faces}/${faceMarkOf(face)}.jpg`);
const namesOf = async (id: string) => (await findFaces(server.context.pool, id)).map((face) => face.name);

async function found(query: string): Promise<string[]> {
  await indexFilms(server.context);
  const token = await admin.accountToken();
  const answer = await server.app.inject({ url: `${server.account}/Videos/Search?${new URLSearchParams({ query, accessToken: token })}` });
  return answer.json().results.map(({ id }: { id: string }) => id);
}

/** What staff and viewers are told of a film, and the rows of the database that nobody is shown. */
async function allThatIsKept(id: string, { pool } = server.context): Promise<string> {
  const tables = ['videos', 'moments', 'layers', 'corrections', 'audit', 'step_pieces', 'erasures'];
  const rows = await Promise.all(tables.map((table) => pool.query(`select * from ${table}`)));
  const index = await server.app.inject({
    url: `${server.account}/Videos/${id}/Index`,
    headers: { authorization: `Bearer ${await admin.videoToken(id)}` },
  });
  return JSON.stringify([rows.map((each) => each.rows), index.json()]);
}

test('whom an administrator forgets is gone: from search, index document, pictures, corrections, catalogue names, audit, and what a step noted', async () => {
  const id = await filmOf([reporter, operator], { people: ['Hildegard Johnson', 'Walter Brand'], name: 'Tape 42' });
  await name(id, reporter, 'Unknown 1', 'Hilda');
  await name(id, reporter, 'Hilda', 'Hildegard Johnson');
  await ask('PUT', `/api/videos/${id}/facts/title`, { replaces: 'Tape 42', says: 'Hildegard JOHNSON reports' });
  await ask('PUT', `/api/videos/${id}/facts/title`, { replaces: 'Hildegard JOHNSON reports', says: 'The reporter' });
  await ask('PUT', `/api/videos/${id}/names/people`, { replaces: '', says: 'Hildegard Johnson' });
  await ask('PUT', `/api/videos/${id}/names/labels`, { replaces: '', says: 'Hildegard Johnson' });
  await ask('PUT', `/api/videos/${id}/names/labels`, { replaces: 'Hildegard Johnson', says: 'reporter' });
  await keepPiece(server.context.pool, { videoId: id, step: 'people', piece: '1 whole' }, { numbers: 'AAAA' });
  expect([await found('hildegard'), await found('brand')]).toEqual([[id], [id]]);
  // A forgetting that was cut off, as before pictures were deleted in place, left some behind.
  await server.context.store.copyToTrash(`${toVideoKeys(id).faces}/${faceMarkOf(reporter)}.jpg`, 'forgotten');
  const answer = await forget(id, reporter, { name: 'Hildegard Johnson' });
  expect(answer.json()).toEqual({ films: 1, untoldBackups: [] });
  expect([await found('hildegard'), await found('brand'), await namesOf(id)]).toEqual([[], [id], ['Unknown 1']]);
  expect([await pictureOf(id, reporter), (await pictureOf(id, operator))?.toString()]).toEqual([null, faceMarkOf(operator)]);
  expect(await server.context.store.trash.list()).toEqual([]);
  const kept = await allThatIsKept(id);
  expect(kept.match(/.{60}(?:hild|numbers).{20}/iu)?.[0]).toBeUndefined();
  expect(kept).toContain('The reporter');
  const activity = (await ask('GET', '/api/activity')).json().entries;
  expect(activity.map(({ action, detail }: { action: string; detail: string }) => `${action} ${detail}`)).toEqual(
    expect.arrayContaining(['person-forgotten ', 'person-named ', 'title-changed ', 'title-changed The reporter']),
  );
});

test('no other look at the film brings back whom it forgot, be it another picture of them, or a name that an editor gives', async () => {
  const id = await filmOf([reporter, operator]);
  await name(id, reporter, 'Unknown 1', 'Hildegard');
  await forget(id, reporter, { name: 'Hildegard' });
  const moved = seenFace([615, 165, 85, 150], 1_000);
  await findFacesIn(server.context, id, [moved, operator]);
  expect((await findFaces(server.context.pool, id)).map(faceMarkOf)).toEqual([faceMarkOf(operator)]);
  const elsewhere = seenFace([100, 100, 80, 140], 20_000);
  await findFacesIn(server.context, id, [operator, elsewhere]);
  const answer = await name(id, elsewhere, 'Unknown 2', ' hildegárd ');
  expect([answer.statusCode, answer.json().detail]).toEqual([409, expect.stringContaining('was forgotten here')]);
  expect((await name(id, elsewhere, 'Unknown 2', 'Hildegard Maria')).statusCode).toBe(200);
});

test('forgotten everywhere, a name is no person of any film: neither of those that are there nor of those that come', async () => {
  const [one, other] = [await filmOf([reporter]), await filmOf([operator], { people: ['HILDEGARD  Johnson'] })];
  const catalogue = await addFilm(server.context, { people: ['Hildegard Johnson', 'Walter'] });
  await name(one, reporter, 'Unknown 1', 'Hildegard Johnson');
  await name(other, operator, 'Unknown 1', 'Hildegard Johnson');
  const missed = `insert into unfound_queries select q, q, 1, 0, now() from unnest(array['hildegard johnson at dusk', 'a lighthouse']) q`;
  await server.context.pool.query(missed);
  expect((await forget(one, reporter, { name: 'Hildegard Johnson', everywhere: true })).json()).toMatchObject({ films: 2 });
  const record = { id: 'r', title: 'A record', people: [{ name: 'Hildegard Johnson', at: [1] }, 'Walter'] };
  const [added] = await createCatalogueVideos(server.context.pool, [CatalogueRecord.parse(record)]);
  const { rows: failed } = await server.context.pool.query('select text from unfound_queries');
  expect(failed).toEqual([{ text: 'a lighthouse' }]);
  expect(await found('hildegard')).toEqual([]);
  expect((await found('walter')).toSorted()).toEqual([catalogue, added?.id].toSorted());
  expect([await pictureOf(one, reporter), await pictureOf(other, operator)]).toEqual([null, null]);
  expect(await allThatIsKept(one)).not.toMatch(/hildegard/iu);
});

test('while a name is looked for in all that an archive ever wrote down, other work goes on, and every text that holds it is blank', async () => {
  const id = await filmOf([reporter]);
  await name(id, reporter, 'Unknown 1', 'Hildegard Johnson');
  const { pool } = server.context;
  const words = `repeat('one of many words ', 5)`;
  await pool.query(
    `
    insert into audit (action, actor_uid, video_id, video_name, before, detail)
    select 'title-changed', $1, $2, 'Film ' || n, 'was', ${words} || case when n % 10000 = 0 then 'of hildegard johnson' else '' end || ' ' || n
      from generate_series(1, 30000) n`,
    [admin.uid, id],
  );
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  expect((await forget(id, reporter, { name: 'Hildegard Johnson', everywhere: true })).statusCode).toBe(200);
  delay.disable();
  expect(delay.max / 1e6).toBeLessThan(1_000);
  const { rows } = await pool.query(
    `select (count(*) filter (where detail ~* 'hildegard'))::int as left, (count(*) filter (where before = 'was' and detail = ''))::int as blank from audit`,
  );
  expect(rows).toEqual([{ left: 0, blank: 3 }]);
});

test('erasing and forgetting find what was written down of a film without reading all that ever was', async () => {
  const { pool } = server.context;
  await pool.query(
    `
    insert into audit (action, actor_uid, video_id, video_name) select 'title-changed', $1, lpad(n::text, 10, '0'), 'Film' from generate_series(1, 5000) n`,
    [admin.uid],
  );
  await pool.query('analyze audit');
  const { rows } = await pool.query(`explain select before from audit where video_id = '0000000042'`);
  expect(JSON.stringify(rows)).toContain('audit_of_video');
});

test('forgotten everywhere, a name is gone also where an editor only said that they speak', async () => {
  const one = await addFilm(server.context, { people: ['Ada Archer'] });
  const other = await addFilm(server.context, { lines: ['Good evening.'] });
  const [{ startMs, endMs, text }] = (await ask('GET', `/api/videos/${other}/lines`)).json().lines;
  const line = { startMs, endMs, text, speaker: null };
  const spoken = { changes: [{ replaces: [line], lines: [{ ...line, speaker: 'Ada Archer' }] }] };
  expect((await ask('PUT', `/api/videos/${other}/lines`, spoken)).json().lines[0].speaker).toBe('Ada Archer');
  await ask('DELETE', `/api/videos/${one}/people`, { name: 'Ada Archer', everywhere: true });
  expect((await ask('GET', `/api/videos/${other}/lines`)).json().lines[0].speaker).toBeNull();
  expect(await allThatIsKept(other)).not.toMatch(/archer/iu);
});

test('somebody whom a film names and no face shows is forgotten by the name, in that film or in every one', async () => {
  const [one, other] = [
    await addFilm(server.context, { people: ['Ada Archer', 'Walter'] }),
    await addFilm(server.context, { people: ['Ada Archer'] }),
  ];
  const forgetName = (id: string, name: string, everywhere: boolean) => ask('DELETE', `/api/videos/${id}/people`, { name, everywhere });
  expect((await ask('GET', `/api/videos/${one}/faces`)).json()).toEqual({ faces: [], others: ['Ada Archer', 'Walter'] });
  expect((await forgetName(one, 'Nobody Here', false)).statusCode).toBe(404);
  expect((await forgetName(one, 'Ada Archer', false)).json()).toEqual({ films: 0, untoldBackups: [] });
  expect(await found('archer')).toEqual([other]);
  await forgetName(other, 'Ada Archer', true);
  expect([await found('archer'), await found('walter')]).toEqual([[], [one]]);
});

test('an index that is built after somebody was forgotten holds nothing of them, in none of its files, and is asked for until it is', async () => {
  const id = await filmOf([reporter], { lines: ['Good evening.'] });
  await name(id, reporter, 'Unknown 1', 'Zephyrine');
  await indexFilms(server.context);
  await forget(id, reporter, { name: 'Zephyrine' });
  await indexFilms(server.context);
  const asked = async () => (await server.context.pool.query(`select from archive_facts where name = 'index_forgets'`)).rowCount;
  expect([await asked(), filesHolding('zephyrine').length > 0]).toEqual([1, true]);
  await rebuildIndex(server.context.pool, toIndexCopy(server.context));
  expect([await asked(), filesHolding('zephyrine')]).toEqual([0, []]);
  const { rows } = await server.context.pool.query(`select from vocabulary where term = 'zephyrine'`);
  expect(rows).toEqual([]);
});

function filesHolding(word: string): string[] {
  const folder = server.context.folder.index;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name)).filter((path) => readFileSync(path).includes(word));
}

test('a backup that was made before brings nobody back: the archive restored from it forgets them before it serves anything', async () => {
  const id = await filmOf([reporter, operator], { people: ['Hildegard'] });
  await name(id, reporter, 'Unknown 1', 'Hildegard');
  const { context } = server;
  const to = join(backups, id);
  const { folder, name: snapshotName, snapshot } = await backUpArchive({ pool: context.pool, archive: context, to });
  expect((await forget(id, reporter, { name: 'Hildegard' })).json()).toEqual({ films: 1, untoldBackups: [] });
  const database = await cloneDatabase('template0');
  const files = openArchiveFiles(join(context.folder.root, 'restored'));
  await beginRestore(files, { folder, name: snapshotName, snapshot });
  await restoreArchive({ pool: database.pool, archive: files, from: folder, snapshot, say: () => {} });
  expect(await pictureOf(id, reporter, files.store)).not.toBeNull();
  const running = await startArchive({ dataFolder: files.folder.root, env: { DATABASE_URL: database.url, RUSHES_SAMPLES: '0' } });
  await running.stop();
  expect(await pictureOf(id, reporter, files.store)).toBeNull();
  const { rows } = await database.pool.query(`select people, (select count(*) from corrections) as corrections from videos`);
  expect(rows).toEqual([{ people: [], corrections: 0 }]);
  expect((await findFaces(database.pool, id)).map(faceMarkOf)).toEqual([faceMarkOf(operator)]);
  await database.drop();
});

test('a database that goes back to an earlier state is told by the data folder whom it forgot', async () => {
  const id = await filmOf([reporter], { people: ['Hildegard'] });
  await name(id, reporter, 'Unknown 1', 'Hildegard');
  const { pool } = server.context;
  await forget(id, reporter, { name: 'Hildegard' });
  expect(readFileSync(join(server.context.folder.root, 'erasures.json'), 'utf8')).not.toMatch(/hildegard/iu);
  await pool.query('delete from erasures');
  await findFacesIn(server.context, id, [reporter]);
  expect(await namesOf(id)).toEqual(['Unknown 1']);
  await applyErasures(server.context);
  expect([await namesOf(id), await pictureOf(id, reporter)]).toEqual([[], null]);
});

test('a folder of backups that is not at hand is named', async () => {
  const id = await filmOf([reporter]);
  const { context } = server;
  const to = join(backups, id);
  await backUpArchive({ pool: context.pool, archive: context, to });
  await context.pool.query(`update archive_facts set value = '["/mnt/away"]' where name = 'backup_folders'`);
  expect((await forget(id, reporter, { name: 'Unknown 1' })).json()).toEqual({ films: 1, untoldBackups: ['/mnt/away'] });
  expect(existsSync(join(to, 'erasures.json'))).toBe(false);
  await backUpArchive({ pool: context.pool, archive: context, to });
  expect(existsSync(join(to, 'erasures.json'))).toBe(true);
});

test('nobody is forgotten by an editor, by a name that is another one by now, or while a worker looks for their face', async () => {
  const editor = await addPerson(server.context, { editor: true });
  const id = await filmOf([reporter]);
  await name(id, reporter, 'Unknown 1', 'Hildegard');
  const statusOf = async (...asked: Parameters<typeof forget>) => (await forget(...asked)).statusCode;
  expect(await statusOf(id, reporter, { name: 'Hildegard' }, editor)).toBe(403);
  expect(await statusOf(id, reporter, { name: 'Unknown 1' })).toBe(412);
  expect(await statusOf(id, operator, { name: 'Hildegard' })).toBe(404);
  expect(await statusOf('0000000000', reporter, { name: 'Hildegard' })).toBe(404);
  await server.context.pool.query(`insert into ingest_steps (video_id, step, state) values ($1, 'people', 'running')`, [id]);
  expect(await statusOf(id, reporter, { name: 'Hildegard' })).toBe(409);
  expect(await namesOf(id)).toEqual(['Hildegard']);
  await server.context.pool.query(`update ingest_steps set state = 'done'`);
  const nameless = await filmOf([operator]);
  expect(await statusOf(nameless, operator, { name: 'Unknown 1', everywhere: true })).toBe(400);
  expect(await statusOf(nameless, operator, { name: 'Unknown 1' })).toBe(200);
  expect(await namesOf(nameless)).toEqual([]);
});

test('the audit and corrections stay as they are for everything else', async () => {
  const id = await filmOf([reporter]);
  await name(id, reporter, 'Unknown 1', 'Hildegard');
  const { pool } = server.context;
  const tries = [`update audit set detail = ''`, 'delete from corrections', `update corrections set replaces = ''`, 'delete from audit'];
  for (const statement of tries) await expect(pool.query(statement)).rejects.toThrow(/is never changed|never deleted/);
});

test('of two faces that were said to be one, what said so goes with the one that is forgotten', async () => {
  const id = await filmOf([reporter, operator]);
  const merged = { replaces: 'Unknown 1', otherMark: faceMarkOf(operator), otherReplaces: 'Unknown 2' };
  const { correction } = (await ask('POST', `/api/videos/${id}/faces/${faceMarkOf(reporter)}/merge`, merged)).json();
  await ask('POST', `/api/videos/${id}/corrections/${correction}/undo`, {});
  await forget(id, operator, { name: 'Unknown 2' });
  const { rows } = await server.context.pool.query('select id from corrections where video_id = $1', [id]);
  expect([rows, await namesOf(id)]).toEqual([[], ['Unknown 1']]);
});
