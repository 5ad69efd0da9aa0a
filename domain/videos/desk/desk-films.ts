import type { CaptionState, FilmOnDesk, FilmRevision, FilmsOnDesk, FoundLines } from '#contract/films.ts';
import { toWordsPattern } from '#contract/find-words.ts';
import { serverLimits } from '#contract/limits.ts';
import type { FilmUnderWay, Incoming } from '#contract/steps.ts';
import type { Db } from '../../db/database.ts';
import { type Statement, sql } from '../../db/sql.ts';
import { unpackMoments } from '../../moments/packed-moments.ts';
import { lineCounts, packedBody } from '../../moments/packed-row.ts';
import { listStepsOf } from '../steps.ts';
import { makeNoVideoProblem } from '../video.ts';
import { findVisibilities, keptFrom, shownToEverybody } from '../visibility.ts';

interface FilmsAsked {
  /** Undefined for films in any state. */
  readonly captions?: CaptionState | undefined;
  /** In title, file name or ids, in any case. */
  readonly text: string;
  readonly skip: number;
  readonly pageSize: number;
}

/** Films that are not deleted, whatever their state, by how it stands with what is said in them; the newest first. */
export async function listFilms(db: Db, { captions, text, skip, pageSize }: FilmsAsked): Promise<FilmsOnDesk> {
  const known = sql`v.state <> 'Quarantined' and ${text.trim() === '' ? sql`true` : bears(text.trim())}`;
  const { rows } = await db.query<FilmRow>(sql`
    select v.id, v.name, v.external_id as "externalId", v.state, v.duration_seconds as "durationInSeconds", v.created_at as "createdAt",
           ${lineCounts.columns}
      from videos v ${lineCounts.join}
     where ${known} and ${captions ? lineCounts.states[captions] : sql`true`}
     order by v.created_at desc, v.id desc limit ${pageSize} offset ${skip}`);
  const {
    rows: [counted],
  } = await db.query<{ total: number } & Record<CaptionState, number>>(sql`
    select count(*)::int as total, (count(*) filter (where ${lineCounts.states.none}))::int as none,
           (count(*) filter (where ${lineCounts.states.given}))::int as given, (count(*) filter (where ${lineCounts.states.unchecked}))::int as unchecked,
           (count(*) filter (where ${lineCounts.states.started}))::int as started, (count(*) filter (where ${lineCounts.states.doubtful}))::int as doubtful,
           (count(*) filter (where ${lineCounts.states.verified}))::int as verified
      from videos v ${lineCounts.join} where ${known}`);
  const { total = 0, ...counts } = counted ?? { none: 0, given: 0, unchecked: 0, started: 0, doubtful: 0, verified: 0 };
  const shown = await findVisibilities(
    db,
    rows.map(({ id }) => id),
  );
  const films = rows.map(
    ({ createdAt, ...row }): FilmOnDesk => ({
      ...row,
      createdAt: createdAt.toISOString(),
      visibility: shown.get(row.id) ?? shownToEverybody,
    }),
  );
  return { films, total: captions ? counts[captions] : total, counts };
}

interface FilmRow extends Omit<FilmOnDesk, 'createdAt' | 'visibility'> {
  readonly createdAt: Date;
}

function bears(text: string): Statement {
  return sql`(strpos(lower(v.name), lower(${text})) > 0 or strpos(lower(coalesce(v.file_name, '')), lower(${text})) > 0
              or strpos(lower(coalesce(v.external_id, '')), lower(${text})) > 0 or v.id = lower(${text}))`;
}

/**
 * So many are looked through by one call, which so ends in time however large the archive is. After the film with the last of so many lines it
 * ends as well: what is found of one film comes whole.
 */
const { films: filmsPerCall, lines: linesPerCall } = serverLimits.linesFoundPerCall;

/**
 * Lines that say these words, of the next films behind one in order of ids, and where to go on. What a page replaces has to stand there to the letter,
 * so the films themselves are asked and not the index, which forgives.
 */
export async function findLines(db: Db, { find, after }: { readonly find: string; readonly after: string }): Promise<FoundLines> {
  const words = toWordsPattern(find.normalize('NFC'));
  if (!words) return { films: [], looked: 0, next: null };
  const { rows } = await db.query<{ id: string; name: string; body: string | null }>(sql`
    select v.id, v.name, case when ${packedBody} ilike any (${likesOf(find)}::text[]) then ${packedBody} end as body
      from videos v
     where v.id > ${after} and v.state <> 'Quarantined'
     order by v.id limit ${filmsPerCall}`);
  const films: FoundLines['films'][number][] = [];
  let found = 0;
  let looked = 0;
  for (const { id, name, body } of rows) {
    looked += 1;
    const lines = (body === null ? [] : unpackMoments(body))
      .filter(({ kind, text }) => kind === 'Transcript' && text.normalize('NFC').search(words) >= 0)
      .map(({ startMs, endMs, text, speaker = null }) => ({ startMs, endMs, text, speaker }));
    if (lines.length > 0) films.push({ id, name, lines });
    found += lines.length;
    if (found >= linesPerCall) break;
  }
  return { films, looked, next: looked === rows.length && rows.length < filmsPerCall ? null : (rows[looked - 1]?.id ?? null) };
}

/** Whatever stands between its words; é is one sign or two. */
function likesOf(find: string): string[] {
  const words = find.trim().split(/\s+/u);
  const like = `%${words.map((word) => word.replace(/[\\%_]/gu, '\\$&')).join('%')}%`;
  return [...new Set([like.normalize('NFC'), like.normalize('NFD')])];
}

interface RevisionRow {
  readonly revision: number;
  readonly name: string;
  readonly keptBackAt: Date | null;
  readonly correction: number | null;
  readonly at: Date | null;
  readonly by: string | null;
  readonly uid: string | null;
  readonly isUndone: boolean | null;
}

/** By what a page tells that a film says something else, and who changed it last. Throws a Problem where there is no such film. */
export async function findRevision(db: Db, { videoId, uid }: { readonly videoId: string; readonly uid: string }): Promise<FilmRevision> {
  const { rows } = await db.query<RevisionRow>(sql`
    select v.revision, v.name, h.set_at as "keptBackAt", c.id as correction, c.at, u.name as by, c.uid, c.undone as "isUndone"
      from videos v
      left join film_visibility h on h.video_id = v.id and ${keptFrom('guest')}
      left join lateral (select id, coalesce(undone_at, made_at) as at, coalesce(undone_by, made_by) as uid, undone_at is not null as undone
                           from corrections where video_id = v.id order by at desc, id desc limit 1) c on true
      left join users u on u.id = c.uid
     where v.id = ${videoId}`);
  const [found] = rows;
  if (!found) throw makeNoVideoProblem();
  const { revision, name, correction, at, by, isUndone } = found;
  const film = { revision, name, keptBackAt: found.keptBackAt?.toISOString() ?? null };
  if (correction === null || at === null) return { ...film, last: null };
  return { ...film, last: { correction, at: at.toISOString(), by: by ?? '', isOwn: found.uid === uid, isUndone: isUndone === true } };
}

interface UnderWayRow extends Omit<FilmUnderWay, 'steps' | 'createdAt' | 'publishedAt'> {
  readonly createdAt: Date;
  readonly publishedAt: Date | null;
  readonly counts: Incoming['counts'];
}

/** So many films with how far every step has come, in the order in which they want somebody, and how it stands with all of them. */
export async function listFilmsUnderWay(db: Db, films: number): Promise<Pick<Incoming, 'films' | 'counts'>> {
  const { rows } = await db.query<UnderWayRow>(sql`
    with undone as (
      select video_id, min(case state when 'failed' then 0 when 'running' then 1 else 2 end) as place
        from ingest_steps where state in ('failed', 'running', 'waiting') group by video_id),
    placed as (
      select v.id, v.created_at,
             case when v.state = 'Failed' then 0 when u.place is not null then u.place
                  when v.state = 'Processed' and v.indexed_revision = v.revision then 3 else 2 end as place
        from videos v left join undone u on u.video_id = v.id where v.origin = 'file' and v.state <> 'Quarantined'),
    shown as (select id, place from placed order by place, created_at desc, id limit ${films})
    select v.id, v.name, v.file_name as "fileName", v.size_bytes::float8 as "sizeBytes", v.duration_seconds as "durationInSeconds", v.state,
           v.failure_message as "failureMessage", v.created_at as "createdAt", v.published_at as "publishedAt",
           coalesce(v.indexed_revision = v.revision, false) as "isIndexed", to_json(c) as counts
      from shown join videos v on v.id = shown.id
     cross join (select count(*)::int as films, (count(*) filter (where place = 0))::int as "needAttention",
                        (count(*) filter (where place in (1, 2)))::int as "underWay" from placed) c
     order by shown.place, v.created_at desc, v.id`);
  const steps = await listStepsOf(
    db,
    rows.map(({ id }) => id),
  );
  return {
    films: rows.map(({ createdAt, publishedAt, counts: _, ...film }) => ({
      ...film,
      createdAt: createdAt.toISOString(),
      publishedAt: publishedAt?.toISOString() ?? null,
      steps: steps.get(film.id) ?? [],
    })),
    counts: rows[0]?.counts ?? { films: 0, needAttention: 0, underWay: 0 },
  };
}
