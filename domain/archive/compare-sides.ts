import { type Adopted, readAdopted, readFact } from '../db/archive-facts.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { ArchiveFiles } from '../files/open-archive-files.ts';
import type { FileStore } from '../files/store.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { readArchiveId } from './archive-id-file.ts';

/** What data folder and database say of themselves and of each other. */
export interface ArchiveSides {
  /** Which archive each says it belongs to; null where it does not say. */
  readonly folderId: string | null;
  readonly databaseId: string | null;
  /** Videos of the database, with or without footage. */
  readonly videoCount: number;
  /** Originals that the database knows of, without those that an operator has given up. */
  readonly originalCount: number;
  /** Videos among them whose original is missing, by what was looked at. */
  readonly missing: readonly string[];
  /** Videos with media that the database does not know, without those that an operator has seen. */
  readonly unknown: readonly string[];
}

const lookedAtAtOnce = 64;
/** Films that a start looks at, of however many: a wrong pair lacks nearly all of them. */
const lookedAtMax = 500;
/** More missing among those: then all are looked at, which decides. */
const doubtAbove = 3;

/** Looks at both: every folder of a video, and every original that there should be. A film that failed need not have one. */
export async function compareSides(db: Db, { folder, store }: ArchiveFiles): Promise<ArchiveSides> {
  const { adopted, originals, ...sides } = await readSides(db, { folder, store });
  const media = await store.listVideos();
  const present = new Set(media);
  const lacking = new Set(
    await findMissingOriginals(
      store,
      originals.filter((id) => present.has(id)),
    ),
  );
  const missing = originals.filter((id) => !present.has(id) || lacking.has(id));
  return { ...sides, missing, unknown: await findUnknown(db, media, adopted) };
}

/**
 * The same at the price of a start: some originals, spread evenly over all and others each time, which tell a wrong pair as well. Folders are listed only where
 * the two do not agree yet, or the database is empty; everything is looked at where some of the few are missing.
 */
export async function lookAtSides(db: Db, { folder, store }: ArchiveFiles): Promise<ArchiveSides> {
  const { adopted, originals, ...sides } = await readSides(db, { folder, store });
  const some = spread(originals, lookedAtMax);
  const missing = await findMissingOriginals(store, some);
  if (some.length < originals.length && missing.length > doubtAbove) return await compareSides(db, { folder, store });
  const areOne = sides.folderId !== null && sides.folderId === sides.databaseId && sides.videoCount > 0;
  return { ...sides, missing, unknown: areOne ? [] : await findUnknown(db, await store.listVideos(), adopted) };
}

/** What the database and the folder say, without a question to the store. */
async function readSides(db: Db, { folder }: ArchiveFiles) {
  const adopted = await readAdopted(db);
  const { rows: known } = await db.query<{ id: string }>(sql`
    select id from videos v where origin = 'file' and state <> 'Failed'
       and not exists (select from deletions d where d.video_id = v.id and d.erasing_at is not null) order by id`);
  const originals = without(
    known.map(({ id }) => id),
    adopted.missing,
  );
  const { rows: counted } = await db.query<{ n: number }>('select count(*)::int as n from videos');
  return {
    adopted,
    originals,
    originalCount: originals.length,
    videoCount: counted[0]?.n ?? 0,
    folderId: readArchiveId(folder),
    databaseId: await readDatabaseId(db),
  };
}

/** Which archive the database says that it belongs to; null where it does not say. */
export async function readDatabaseId(db: Db): Promise<string | null> {
  return (await readFact(db, 'archive_id')) ?? null;
}

async function findUnknown(db: Db, media: readonly string[], adopted: Adopted): Promise<string[]> {
  const { rows: strangers } = await db.query<{ id: string }>(sql`
    select id from unnest(${media}::text[]) as t (id) where not exists (select from videos where videos.id = t.id) order by id`);
  return without(
    strangers.map(({ id }) => id),
    adopted.unknown,
  );
}

/** Which of these videos have no original. A disk that cannot be read throws: it proves nothing. */
async function findMissingOriginals(store: FileStore, ids: readonly string[]): Promise<string[]> {
  const missing = new Set<string>();
  const waiting = ids.values();
  const look = async () => {
    for (const id of waiting) if (!(await store.stat(toVideoKeys(id).original))) missing.add(id);
  };
  await Promise.all(Array.from({ length: lookedAtAtOnce }, look));
  return ids.filter((id) => missing.has(id));
}

/** At most so many of these, at equal distances from a place that is another one each time. */
function spread(ids: readonly string[], max: number): readonly string[] {
  if (ids.length <= max) return ids;
  const step = ids.length / max;
  const first = Math.random() * step;
  return Array.from({ length: max }, (_, n) => ids[Math.floor(first + n * step)]).filter((id) => id !== undefined);
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others);
  return ids.filter((id) => !left.has(id));
}
