import { Problem } from '#contract/problem.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { wasRefused } from '../videos/footage.ts';

/** How much the originals may come to, of the archive and of those that one editor added; undefined where nothing bounds them. */
export interface OriginalsQuota {
  readonly archiveMaxBytes?: number | undefined;
  readonly editorMaxBytes?: number | undefined;
}

/** What may still come in; null where nothing bounds it. */
export interface QuotaLeft {
  readonly archiveBytes: number | null;
  readonly ownBytes: number | null;
}

/**
 * The films whose originals the archive keeps, and their size; those that were refused lie in the trash, and are not among them. Of one person
 * those that they added, as the activity tells.
 */
export async function measureOriginals(db: Db, addedBy: string | null = null): Promise<{ films: number; originalsBytes: number }> {
  const { rows } = await db.query<{ films: number; originalsBytes: number }>(sql`
    select count(*)::int as films, coalesce(sum(v.size_bytes), 0)::float8 as "originalsBytes"
      from videos v
     where v.origin = 'file' and not ${wasRefused}
       and (${addedBy}::text is null
            or v.id in (select a.video_id from audit a where a.action = 'film-added' and a.actor_uid = ${addedBy}::text))`);
  return rows[0] ?? { films: 0, originalsBytes: 0 };
}

/** What the archive, and this person in it, may still take in; what is half-way here counts as here. */
export async function measureQuotaLeft(db: Db, quota: OriginalsQuota, userId: string | null = null): Promise<QuotaLeft> {
  const { archiveMaxBytes, editorMaxBytes } = quota;
  const left = async (maxBytes: number | undefined, of: string | null) =>
    maxBytes === undefined ? null : maxBytes - (await measureOriginals(db, of)).originalsBytes - (await measureUploads(db, of));
  return {
    archiveBytes: await left(archiveMaxBytes, null),
    ownBytes: userId === null ? null : await left(editorMaxBytes, userId),
  };
}

async function measureUploads(db: Db, userId: string | null): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(sql`
    select coalesce(sum(size_bytes), 0)::float8 as bytes from uploads
     where finished_at is null and (${userId}::text is null or user_id = ${userId}::text)`);
  return rows[0]?.bytes ?? 0;
}

interface Coming {
  readonly sizeBytes: number;
  /** Whose it is to be; nobody's bound is asked where a machine or an operator brings it in. */
  readonly userId?: string;
}

/** Throws a Problem, `storage_full` for the archive's and `conflict` for one's own, where a quota has no room for so much more. */
export async function requireQuota(db: Db, quota: OriginalsQuota, { sizeBytes, userId }: Coming): Promise<void> {
  // A smaller file in the place of a larger one comes in however full it is.
  if (sizeBytes <= 0) return;
  const { archiveBytes, ownBytes } = await measureQuotaLeft(db, quota, userId);
  if (archiveBytes !== null && sizeBytes > archiveBytes)
    throw new Problem(
      'storage_full',
      `This archive’s quota is ${formatGigabytes(quota.archiveMaxBytes ?? 0)}, and ${describeLeft(archiveBytes)}: this needs ${formatGigabytes(sizeBytes)}. ` +
        `Delete videos that nobody needs (they count until they are erased), or ask an administrator to raise RUSHES_STORE_MAX_GB.`,
    );
  if (ownBytes !== null && sizeBytes > ownBytes)
    throw new Problem(
      'conflict',
      `Your quota is ${formatGigabytes(quota.editorMaxBytes ?? 0)}, and ${describeLeft(ownBytes)}: this needs ${formatGigabytes(sizeBytes)}. ` +
        'Delete videos of yours that nobody needs (they count until they are erased), or ask an administrator to raise RUSHES_EDITOR_MAX_GB.',
    );
}

function describeLeft(bytes: number): string {
  return bytes > 0 ? `${formatGigabytes(bytes)} of it is left` : 'nothing of it is left';
}

/** `1.2 GB`, `20 MB`. */
export function formatGigabytes(bytes: number): string {
  return bytes >= 1e9 ? `${Math.round(bytes / 1e8) / 10} GB` : `${Math.round(bytes / 1e5) / 10} MB`;
}
