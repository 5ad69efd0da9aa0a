import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BackupRun, backUpArchive } from '#domain/backup/back-up-archive.ts';
import type { BucketPlace } from '#domain/backup/backup-folder.ts';
import { beginRestore } from '#domain/backup/begin-restore.ts';
import { openBackupFolder } from '#domain/backup/open-backup-folder.ts';
import { type RestoreRun, restoreArchive } from '#domain/backup/restore-archive.ts';
import { listSnapshots, readSnapshot } from '#domain/backup/snapshot.ts';
import { inTransaction, type Pool } from '#domain/db/database.ts';
import { type ArchiveFiles, openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { addCorrection } from '#domain/moments/corrections.ts';
import { createVideo, makeVideoId } from '#domain/videos/create-video.ts';
import { publishVideo } from '#domain/videos/publish-video.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import { cloneDatabase, createTestDatabase, type TestDatabase } from './test-database.ts';

interface Restored {
  readonly database: TestDatabase;
  readonly files: ArchiveFiles;
  readonly run: RestoreRun;
}

export interface BackedUpArchive {
  readonly root: string;
  readonly dataFolder: string;
  readonly files: ArchiveFiles;
  readonly database: TestDatabase;
  /** Folder of the backups. */
  readonly to: string;
  /** A film with an original of this text; processed unless it is to wait. */
  addFilm(original: string, options?: { waits: boolean }): Promise<string>;
  backUp(options?: { keep?: number; contentsAtOnce?: number; beginsAnew?: boolean; pool?: Pool }): Promise<BackupRun>;
  /** Restores the newest snapshot into a data folder and a database of its own. */
  restore(): Promise<Restored>;
  drop(): Promise<void>;
}

/** An archive with a folder of backups, or a place in a bucket; its database is a clone of `source`, default the empty one of today's tables. */
export async function createBackedUpArchive(source?: string, bucketPlace?: (root: string) => BucketPlace): Promise<BackedUpArchive> {
  const root = mkdtempSync(join(tmpdir(), 'rushes-backup-'));
  const dataFolder = join(root, 'data');
  mkdirSync(dataFolder);
  writeFileSync(join(dataFolder, 'secrets.json'), '{"secret":true}');
  const database = await (source ? cloneDatabase(source) : createTestDatabase());
  const databases = [database];
  const files = openArchiveFiles(dataFolder);
  const to = join(root, 'backup');
  const place = bucketPlace?.(root) ?? to;
  const backUp: BackedUpArchive['backUp'] = ({ pool = database.pool, ...options } = {}) =>
    backUpArchive({ pool, archive: files, to: place, ...options });
  const restore = async () => {
    const empty = await cloneDatabase('template0');
    databases.push(empty);
    const restored = openArchiveFiles(join(root, `restored-${databases.length}`));
    const folder = await openBackupFolder(place);
    const name = (await listSnapshots(folder)).at(-1) ?? '';
    const snapshot = await readSnapshot(folder, name);
    await beginRestore(restored, { folder, name, snapshot });
    const run = await restoreArchive({ pool: empty.pool, archive: restored, from: folder, snapshot, say: () => {} });
    return { database: empty, files: restored, run };
  };
  return {
    root,
    dataFolder,
    files,
    database,
    to,
    backUp,
    restore,
    addFilm: (original, { waits } = { waits: false }) => addFilm(database.pool, files, { original, waits }),
    drop: async () => {
      for (const each of databases) await each.drop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function addFilm(pool: Pool, { store }: ArchiveFiles, { original, waits }: { original: string; waits: boolean }): Promise<string> {
  const id = makeVideoId();
  const bytes = Buffer.from(original);
  const keys = toVideoKeys(id);
  await store.put(keys.original, bytes);
  if (!waits) await store.put(`${keys.hls}/master.m3u8`, Buffer.from(`#EXTM3U of ${id}`));
  const unknown = { externalId: null, description: null, owner: null, recordedAt: null, place: null, rights: null };
  const contentHash = createHash('sha256').update(bytes).digest('hex');
  const video = { id, name: `Film ${id}`, contentHash, fileName: 'film.mp4', sizeBytes: bytes.length, language: 'en', ...unknown };
  await createVideo(pool, { ...video, people: ['Ada', 'Ada'], labels: [], brands: [] });
  const facts = { width: 640, height: 360, hasVideo: true, hasAudio: true, streamingPreset: 'SingleBitrate' } as const;
  const line = {
    kind: 'Transcript',
    startMs: 0,
    endMs: 900,
    text: 'Ahoi\t\\N',
    source: 'machine',
    confidencePercent: 7,
    engine: 'an ear',
  } as const;
  await publishLayers(pool, id, { madeBy: 'captions', version: 1, layers: [{ name: 'captions', moments: [line] }] });
  await inTransaction(pool, (db) =>
    addCorrection(db, id, { target: { layer: 'catalogue', kind: 'Title', replaces: `Film ${id}` }, says: 'Another', by: 'somebody' }),
  );
  if (!waits) await publishVideo(pool, { videoId: id, durationInSeconds: 3, ...facts });
  return id;
}
