import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { ArchiveFiles } from '../files/open-archive-files.ts';
import { parseJson } from '../files/parse-json.ts';
import type { FileStore } from '../files/store.ts';
import { videoKeys } from '../files/video-keys.ts';
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
  /** Videos among them whose original is missing. */
  readonly missing: readonly string[];
  /** Videos with media that the database does not know, without those that an operator has seen. */
  readonly unknown: readonly string[];
}

const lookedAtAtOnce = 64;

/** What an operator has said to go on with. */
const Adopted = z.object({ missing: z.array(z.string()), unknown: z.array(z.string()) });
export type Adopted = z.infer<typeof Adopted>;

/** Looks at both: every folder of a video, and every original that there should be. A film that failed need not have one. */
export async function compareSides(db: Db, { folder, store }: ArchiveFiles): Promise<ArchiveSides> {
  const adopted = await readAdopted(db);
  const media = new Set(await store.listVideos());
  const { rows: known } = await db.query<{ id: string }>(sql`
    select id from videos v where origin = 'file' and state <> 'Failed'
       and not exists (select from deletions d where d.video_id = v.id and d.erasing_at is not null)`);
  const originals = without(
    known.map(({ id }) => id),
    adopted.missing,
  );
  const { rows: strangers } = await db.query<{ id: string }>(sql`
    select id from unnest(${[...media]}::text[]) as t (id) where not exists (select from videos where videos.id = t.id) order by id`);
  const { rows: counted } = await db.query<{ n: number }>('select count(*)::int as n from videos');
  const { rows: facts } = await db.query<{ value: string }>("select value from archive_facts where name = 'archive_id'");
  return {
    folderId: readArchiveId(folder),
    databaseId: facts[0]?.value ?? null,
    videoCount: counted[0]?.n ?? 0,
    originalCount: originals.length,
    missing: await findMissingOriginals(store, originals, media),
    unknown: without(
      strangers.map(({ id }) => id),
      adopted.unknown,
    ),
  };
}

/** What an operator has said before to go on with. */
export async function readAdopted(db: Db): Promise<Adopted> {
  const { rows } = await db.query<{ value: string }>("select value from archive_facts where name = 'adopted'");
  const parsed = Adopted.safeParse(parseJson(rows[0]?.value ?? ''));
  return parsed.success ? parsed.data : { missing: [], unknown: [] };
}

/** Which of these videos have no original; `present` are those that have files at all. A disk that cannot be read throws: it proves nothing. */
async function findMissingOriginals(store: FileStore, ids: readonly string[], present: ReadonlySet<string>): Promise<string[]> {
  const missing = new Set(ids.filter((id) => !present.has(id)));
  const waiting = ids.filter((id) => present.has(id)).values();
  const look = async () => {
    for (const id of waiting) if (!(await store.stat(videoKeys(id).original))) missing.add(id);
  };
  await Promise.all(Array.from({ length: lookedAtAtOnce }, look));
  return ids.filter((id) => missing.has(id));
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others);
  return ids.filter((id) => !left.has(id));
}
