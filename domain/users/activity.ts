import type { ActivityEntry, ActivityPage } from '#contract/users.ts';
import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** A page of the audit, newest first. */
export async function listActivity(pool: Pool, { skip, pageSize }: { skip: number; pageSize: number }): Promise<ActivityPage> {
  const entries = await findEntries(pool, { before: beyondTheLast, skip, atMost: pageSize });
  const { rows: counted } = await pool.query<{ total: number }>(sql`select count(*) as total from audit`);
  const total = counted[0]?.total ?? 0;
  return { entries, total, nextPage: { skip: skip + pageSize, done: skip + entries.length >= total } };
}

const rowsAtOnce = 1_000;

/** The whole audit, newest first, a thousand entries in memory at a time. What is written meanwhile is left out. */
export async function* readActivity(pool: Pool): AsyncGenerator<ActivityEntry[]> {
  let before = beyondTheLast;
  for (;;) {
    const entries = await findEntries(pool, { before, skip: 0, atMost: rowsAtOnce });
    const last = entries.at(-1);
    if (!last) return;
    yield entries;
    before = last.id;
  }
}

const beyondTheLast = Number.MAX_SAFE_INTEGER;

/** Entries with an id below `before`, newest first. */
async function findEntries(
  pool: Pool,
  { before, skip, atMost }: { before: number; skip: number; atMost: number },
): Promise<ActivityEntry[]> {
  const { rows } = await pool.query<AuditRow>(sql`
    select id, at, action, actor_uid as "actorUid", actor_name as "actorName", actor_email as "actorEmail",
           subject_uid as "subjectUid", subject_name as "subjectName", subject_email as "subjectEmail",
           video_id as "videoId", video_name as "videoName", before, detail, came_from as "from"
      from audit where id < ${before} order by id desc limit ${atMost} offset ${skip}`);
  return rows.map(entryOf);
}

export type OwnActivity = Pick<ActivityEntry, 'at' | 'action' | 'video' | 'before' | 'detail'> & { readonly from: string | null };

/** What the audit holds of one person, done by them or to them, oldest first; nothing of others, so no address from which they did it. */
export async function activityOf(pool: Pool, uid: string): Promise<OwnActivity[]> {
  const { rows } = await pool.query<
    Pick<AuditRow, 'at' | 'action' | 'videoId' | 'videoName' | 'before' | 'detail'> & { from: string | null }
  >(sql`
    select at, action, video_id as "videoId", video_name as "videoName", before, detail,
           case when actor_uid = ${uid} then came_from end as "from"
      from audit where subject_uid = ${uid} or actor_uid = ${uid} order by id`);
  return rows.map(({ at, videoId, videoName, ...entry }) => ({ at: at.toISOString(), ...entry, video: videoOf({ videoId, videoName }) }));
}

interface AuditRow {
  readonly id: number;
  readonly at: Date;
  readonly action: ActivityEntry['action'];
  readonly actorUid: string | null;
  readonly actorName: string | null;
  readonly actorEmail: string | null;
  readonly subjectUid: string | null;
  readonly subjectName: string | null;
  readonly subjectEmail: string | null;
  readonly videoId: string | null;
  readonly videoName: string | null;
  readonly before: string;
  readonly detail: string;
  readonly from: string;
}

function entryOf({ id, at, action, before, detail, from, ...who }: AuditRow): ActivityEntry {
  return {
    id,
    at: at.toISOString(),
    action,
    actor: who.actorUid === null ? null : { uid: who.actorUid, displayName: who.actorName ?? '', email: who.actorEmail ?? '' },
    subject: who.subjectUid === null ? null : { uid: who.subjectUid, displayName: who.subjectName ?? '', email: who.subjectEmail ?? '' },
    video: videoOf(who),
    before,
    detail,
    from,
  };
}

function videoOf({ videoId, videoName }: Pick<AuditRow, 'videoId' | 'videoName'>): ActivityEntry['video'] {
  return videoId === null ? null : { id: videoId, name: videoName ?? '' };
}

const columns = [
  'at',
  'action',
  'detail',
  'actor',
  'actor e-mail',
  'actor uid',
  'subject',
  'subject e-mail',
  'subject uid',
  'from',
  'film',
  'film id',
  'before',
];

/** The audit as a table (RFC 4180), instants in UTC. A byte order mark tells spreadsheets that it is UTF-8. */
export async function* writeActivityCsv(pages: AsyncIterable<ActivityEntry[]>): AsyncGenerator<string> {
  yield `\ufeff${toCsvRow(columns)}`;
  for await (const entries of pages) yield entries.map((entry) => toCsvRow(cellsOf(entry))).join('');
}

function cellsOf({ at, action, before, detail, actor, subject, video, from }: ActivityEntry): string[] {
  const who = actor ? [actor.displayName, actor.email, actor.uid] : ['', '', ''];
  const whom = subject ? [subject.displayName, subject.email, subject.uid] : ['', '', ''];
  return [at, action, detail, ...who, ...whom, from, video?.name ?? '', video?.id ?? '', before];
}

function toCsvRow(cells: readonly string[]): string {
  return `${cells.map(toCsvCell).join(',')}\r\n`;
}

/**
 * A spreadsheet computes what begins like a formula; an apostrophe in front makes it a text. Where numbers are written with a comma,
 * it begins a new cell at every semicolon as well.
 */
function toCsvCell(text: string): string {
  const harmless = text.replace(/(?<=^|;)(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])/gu, "'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
