import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFilm } from '#testing/add-film.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { until } from '#testing/until.ts';
import { inTransaction } from '../../db/database.ts';
import { drawTitlePoster } from '../../drawing/title-poster.ts';
import { openArchiveFiles } from '../../files/open-archive-files.ts';
import { readStored } from '../../files/read-stored.ts';
import { toVideoKeys } from '../../files/video-keys.ts';
import { correctFact } from '../corrections/correct-fact.ts';
import { correctLines, listLines, replaceTranscript } from '../corrections/correct-lines.ts';
import { createVideo, makeVideoId } from '../create-video.ts';
import { deleteFilm } from '../deletions.ts';
import { redrawTitle } from '../desk/poster.ts';
import { setVisibility } from '../visibility.ts';
import { forgetPerson } from './forget-person.ts';

const folder = mkdtempSync(join(tmpdir(), 'rushes-forget-'));
const files = openArchiveFiles(folder);
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(`insert into users (id, email, name) values ('ann', 'ann@people.example', 'Ann')`);
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

test('whoever writes a name down while it is forgotten everywhere is waited for, and it is no person there either', async () => {
  const { pool } = database;
  const [name, others] = ['Hildegard Johnson', ['Walter']];
  const film = await addFilm({ pool, store: files.store }, { people: [name] });
  const [late, written, goesOn] = [makeVideoId(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writing = inTransaction(pool, async (db) => {
    const unknown = { externalId: null, description: null, owner: null, recordedAt: null, place: null, rights: null };
    const facts = { contentHash: 'f'.repeat(64), fileName: 'late.mp4', sizeBytes: 1, language: 'en', labels: [], brands: [] };
    await createVideo(db, { id: late, name: 'It comes meanwhile', ...unknown, ...facts, people: [name, ...others] });
    written.resolve();
    await goesOn.promise;
  });
  await written.promise;
  const by = { actorUid: 'ann', from: '127.0.0.1' };
  const forgetting = forgetPerson({ ...files, pool }, { videoId: film, mark: null, name, everywhere: true, ...by });
  const here = `(select oid from pg_database where datname = current_database())`;
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted and database = ${here}`;
  await until(async () => (await pool.query(waiting)).rowCount === 1);
  goesOn.resolve();
  await Promise.all([writing, forgetting]);
  const { rows } = await pool.query('select id, people from videos order by created_at');
  expect(rows).toEqual([
    { id: film, people: [] },
    { id: late, people: others },
  ]);
});

test('what is said in a film stays as people loaded, corrected and confirmed it, whatever it says; only its speakers lose the name', async () => {
  const { pool } = database;
  const by = { actorUid: 'ann', from: '127.0.0.1' };
  const [film, other] = [
    await addFilm({ pool, store: files.store }, { people: ['Will'] }),
    await addFilm({ pool, store: files.store }, { people: ['Will'], lines: ['Where there is a will.'] }),
  ];
  const cue = (second: number, text: string) => `00:0${second}.000 --> 00:0${second}.900\n${text}\n`;
  const loaded = ['WEBVTT\n', cue(1, '<v Will>I will wait.'), cue(3, '<v Ada>So will it, Will.'), cue(5, 'It rains.')].join('\n');
  await replaceTranscript(pool, { videoId: film, bytes: Buffer.from(loaded), ...by });
  const change = async (videoId: string, says?: string) => {
    const [{ startMs, endMs, text, speaker } = { startMs: 0, endMs: 0, text: '', speaker: null }] = await listLines(pool, videoId);
    const first = { startMs, endMs, text, speaker };
    await correctLines(pool, { videoId, changes: [{ replaces: [first], lines: [{ ...first, text: says ?? text }] }], ...by });
  };
  await change(film, 'I will not wait.');
  await change(other);
  await correctFact(pool, { videoId: film, fact: 'place', replaces: '', says: 'At Will’s', ...by });
  await forgetPerson({ ...files, pool }, { videoId: film, mark: null, name: 'Will', everywhere: true, ...by });
  const linesOf = async (id: string) => (await listLines(pool, id)).map(({ speaker, text, review }) => [speaker, text, review]);
  expect(await linesOf(film)).toEqual([
    [null, 'I will not wait.', 'corrected'],
    ['Ada', 'So will it, Will.', 'corrected'],
    [null, 'It rains.', 'corrected'],
  ]);
  expect(await linesOf(other)).toEqual([[null, 'Where there is a will.', 'verified']]);
  const { rows } = await pool.query('select people, place from videos where id = any ($1)', [[film, other]]);
  expect(rows).toEqual([
    { people: [], place: null },
    { people: [], place: null },
  ]);
});

test('a poster that is drawn of a title is drawn anew when that no longer names whom the archive forgot, also of a film that is deleted', async () => {
  const { pool } = database;
  const { store } = files;
  const by = { actorUid: 'ann', from: '127.0.0.1' };
  const named = 'Ada Archer reports';
  const add = async () => await addFilm({ pool, store }, { name: 'Tape 42', people: ['Ada Archer'] });
  const [film, deleted] = [await add(), await add()];
  const shows = async (title: string) =>
    await Promise.all(
      [film, deleted].map(async (id) => (await readStored(store, toVideoKeys(id).poster))?.equals(drawTitlePoster(title)) ?? false),
    );
  const versions = async () => {
    const asked = 'select poster_version as version from videos where id = any ($1) order by id';
    return (await pool.query<{ version: number }>(asked, [[film, deleted]])).rows.map(({ version }) => version);
  };
  await pool.query('update videos set has_video = false where id = any ($1)', [[film, deleted]]);
  for (const videoId of [film, deleted]) {
    await correctFact(pool, { videoId, fact: 'title', replaces: 'Tape 42', says: named, ...by });
    await redrawTitle({ pool, store }, videoId);
  }
  await deleteFilm(pool, { videoId: deleted, name: named, reason: '', ...by });
  expect(await shows(named)).toEqual([true, true]);
  const before = await versions();
  await forgetPerson({ ...files, pool }, { videoId: film, mark: null, name: 'Ada Archer', everywhere: true, ...by });
  expect([await shows('Tape 42'), await versions()]).toEqual([[true, true], before.map((version) => version + 1)]);
});

test('why editors keep a film back or deleted it no longer names whom that film, or the archive, forgot', async () => {
  const { pool } = database;
  const by = { actorUid: 'ann', from: '127.0.0.1' };
  const reason = 'The family of Bert Baker has asked';
  const add = async () => await addFilm({ pool, store: files.store }, { people: ['Bert Baker'] });
  const [one, other] = [await add(), await add()];
  for (const videoId of [one, other]) await setVisibility(pool, { videoId, shownTo: 'editors', until: null, reason, seenAt: null, ...by });
  await deleteFilm(pool, { videoId: other, name: `Film ${other}`, reason, ...by });
  const reasonsOf = async (id: string) => {
    const asked = 'select reason from film_visibility where video_id = $1 union all select reason from deletions where video_id = $1';
    return (await pool.query<{ reason: string }>(asked, [id])).rows.map((row) => row.reason);
  };
  const forget = async (videoId: string, everywhere: boolean) =>
    await forgetPerson({ ...files, pool }, { videoId, mark: null, name: 'Bert Baker', everywhere, ...by });
  await forget(one, false);
  expect([await reasonsOf(one), await reasonsOf(other)]).toEqual([[''], [reason, reason]]);
  await forget(await add(), true);
  expect(await reasonsOf(other)).toEqual(['', '']);
});
