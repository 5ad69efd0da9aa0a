import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, test } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import { readStored } from '#domain/files/read-stored.ts';
import { sweepLeftovers } from '#domain/files/sweep.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { listLines } from '#domain/videos/corrections/correct-lines.ts';
import { deleteFilm } from '#domain/videos/deletions.ts';
import { eraseDueFilms, eraseFilm } from '#domain/videos/erase-film.ts';
import { addFilm, originalOf } from '../add-film.ts';
import { until } from '../until.ts';
import { expectWholeOrNothing, openPointArchive, type PointArchive, runUntilDeath, type Scene } from './point-rounds.ts';

const twoDaysMs = 2 * 86_400_000;

let archive: PointArchive;
beforeAll(async () => {
  archive = await openPointArchive();
});
afterAll(() => archive.close());

test.for([
  ['the steps of a film up to its being published', jobScene, ['commit', 'rename']],
  ['erasing a film', erasingScene, ['commit', 'rm']],
] as const)(
  'kill -9 between any two durable actions of %s shows nothing half done, and the next job, sweep or call ends it',
  { timeout: 1_800_000 },
  async ([name, begin, amongThem], { task }) => {
    await expectWholeOrNothing(archive, { name, begin, amongThem, task });
  },
);

/** One whose pictures are made: what came beside it is read, put into its place and given to search, and it is opened to both. */
async function jobScene(): Promise<Scene> {
  const { pool } = archive.database;
  const [store, folder] = [openLocalStore(archive.dataFolder), archiveFolderIn(archive.dataFolder)];
  const id = await addFilm({ pool, store }, { processed: false });
  const keys = toVideoKeys(id);
  await store.put(`${keys.sidecars}/subtitles-0.en.txt`, Buffer.from('1\n00:00:00,000 --> 00:00:02,000\nThe harbour\n'));
  const description = { format: 'mp3', startSeconds: 0, claimedSeconds: 60, video: null, audio: { index: 0, codec: 'mp3', channels: 2 } };
  const results = {
    probe: { description: { ...description, subtitles: [] }, scan: { video: null, audio: null }, durationInSeconds: 60, damage: null },
    stills: { frames: 0, decodesCleanly: true },
    renditions: { durationInSeconds: 60, streamingPreset: 'SingleBitrate' },
  };
  await pool.query(
    `insert into ingest_steps (video_id, step, state, version, result) select $1, key, 'done', 1, value from jsonb_each($2)
      union all select $1, unnest(array['facts', 'captions', 'publish']), 'waiting', 0, null`,
    [id, JSON.stringify(results)],
  );
  const look = async () => {
    const { rows } = await pool.query<{ state: string; undone: string }>(
      `select state, (select coalesce(string_agg(step, ', '), '') from ingest_steps where video_id = $1 and state <> 'done') as undone
         from videos where id = $1`,
      [id],
    );
    const [lines, captions] = [await listLines(pool, id), String(await readStored(store, keys.captions))];
    const lacks = [...(lines.length > 0 ? [] : ['its line']), ...(captions.includes('The harbour') ? [] : ['its captions'])];
    return { plays: rows[0]?.state === 'Processed', undone: rows[0]?.undone, lacks, twice: lines.slice(1).map(() => 'its line') };
  };
  return {
    orders: { job: id },
    judgeAtOnce: async () => {
      const { plays, lacks, twice } = await look();
      return { halfVisible: plays ? lacks : [], twice };
    },
    judgeInTheEnd: async () => {
      await runUntilDeath(archive, { job: id }, 0);
      const { plays, undone, lacks, twice } = await look();
      await sweepLeftovers(folder, { inUse: new Set(), now: Date.now() + twoDaysMs });
      const left = [folder.work, folder.drafts].flatMap((path) => readdirSync(path));
      return { lost: [...lacks, ...(plays && undone === '' ? [] : [`its steps ${undone}`])], twice, orphans: left };
    },
  };
}

let erased = 0;

async function erasingScene(): Promise<Scene> {
  const { dataFolder, actorUid } = archive;
  const { pool } = archive.database;
  const store = openLocalStore(dataFolder);
  const name = `Erased ${erased++}`;
  const videoId = await addFilm({ pool, store }, { name, lines: ['the harbour'] });
  const by = { videoId, name, reason: '', actorUid, from: '127.0.0.1' };
  await deleteFilm(pool, by);
  const noted = async () =>
    (await pool.query<{ isErasing: boolean }>('select erasing_at is not null as "isErasing" from deletions where video_id = $1', [videoId]))
      .rows[0];
  const isWhole = async () => (await readStored(store, toVideoKeys(videoId).original))?.toString() === originalOf(videoId);
  const left = async () => [
    ...(await Array.fromAsync(store.list(toVideoKeys(videoId).all))).map(({ key }) => key),
    ...(await store.trash.list()).flatMap(({ key }) => (key.includes(videoId) ? [`${key} in the trash`] : [])),
  ];
  return {
    orders: { erase: { videoId, name } },
    judgeAtOnce: async () => {
      const film = await noted();
      if (!film) return { orphans: await left() };
      return film.isErasing || (await isWhole()) ? {} : { lost: ['a file of what can still be restored'] };
    },
    judgeInTheEnd: async () => {
      // What the killed process had claimed is its own until the database hears of its end.
      const passes = (error: unknown) => error instanceof Problem && error.code === 'conflict';
      const end = async () => {
        await eraseDueFilms({ pool, store }, { keptDays: 30, told: () => {}, failed: () => {} });
        if (await noted()) await eraseFilm({ pool, store }, by);
        return !(await noted());
      };
      await until(end, { passes });
      const { rowCount } = await pool.query(`select from audit where video_id = $1 and action = 'film-erased'`, [videoId]);
      return { twice: rowCount === 1 ? [] : [`${rowCount} entries in the audit`], orphans: await left() };
    },
  };
}
