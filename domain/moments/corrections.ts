import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Place } from './faces.ts';
import type { LayerName } from './layers.ts';
import type { MomentKind } from './moment.ts';

/** Kinds whose moments can be corrected one by one. */
type CorrectedKind = Extract<MomentKind, 'Transcript' | 'Ocr'>;

/** What a correction is about: the film's title, a face by when and where it was seen, or a moment by where it stood and what it said. Times in milliseconds. */
export type CorrectionTarget =
  | { readonly layer: 'catalogue'; readonly kind: 'Title'; readonly replaces: string }
  | {
      readonly layer: 'faces';
      readonly kind: 'Person';
      readonly startMs: number;
      readonly endMs: number;
      readonly place: Place;
      readonly replaces: string;
    }
  | {
      readonly layer: LayerName;
      readonly kind: CorrectedKind;
      readonly startMs: number;
      readonly endMs: number;
      readonly replaces: string;
    };

/** Who did something, and when. */
interface Deed {
  readonly by: string;
  readonly at: Date;
}

/** What somebody changed of what the steps found. */
export interface Correction {
  readonly id: number;
  readonly target: CorrectionTarget;
  /** What it says instead; null where somebody confirmed that it is right. */
  readonly says: string | null;
  readonly made: Deed;
  readonly undone: Deed | null;
}

/** Every correction of a video, undone or not, in the order in which they were made. */
export async function findCorrections(db: Db, videoId: string): Promise<Correction[]> {
  const { rows } = await db.query<CorrectionRow>(sql`
    select id, layer, kind, start_ms as "startMs", end_ms as "endMs", place, replaces, says,
           made_by as "madeBy", made_at as "madeAt", undone_by as "undoneBy", undone_at as "undoneAt"
      from corrections where video_id = ${videoId} order by id`);
  return rows.map(({ id, says, madeBy, madeAt, undoneBy, undoneAt, ...row }) => ({
    ...{ id, says, target: targetOf(row), made: { by: madeBy, at: madeAt } },
    undone: undoneBy === null || undoneAt === null ? null : { by: undoneBy, at: undoneAt },
  }));
}

/** Notes a correction; returns its id. */
export async function addCorrection(
  db: Db,
  videoId: string,
  { target, says, by }: Pick<Correction, 'target' | 'says'> & { readonly by: string },
): Promise<Correction['id']> {
  const { startMs, endMs } = target.kind === 'Title' ? { startMs: null, endMs: null } : target;
  const place = target.kind === 'Person' ? target.place : null;
  const { rows } = await db.query<{ id: number }>(sql`
    insert into corrections (video_id, layer, kind, start_ms, end_ms, place, replaces, says, made_by)
    values (${videoId}, ${target.layer}, ${target.kind}, ${startMs}, ${endMs}, ${place}::int[], ${target.replaces}, ${says}, ${by})
    returning id`);
  const [added] = rows;
  if (!added) throw new Error('a correction was not noted');
  return added.id;
}

/** Notes that a correction counts no more; false when the video has no such correction that still counts. */
export async function noteUndone(db: Db, videoId: string, { id, by }: { id: Correction['id']; by: string }): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update corrections set undone_by = ${by}, undone_at = now()
     where video_id = ${videoId} and id = ${id} and undone_at is null`);
  return rowCount === 1;
}

interface TargetRow {
  readonly layer: LayerName;
  readonly kind: CorrectionTarget['kind'];
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly place: Place | null;
  readonly replaces: string;
}

interface CorrectionRow extends TargetRow {
  readonly id: number;
  readonly says: string | null;
  readonly madeBy: string;
  readonly madeAt: Date;
  readonly undoneBy: string | null;
  readonly undoneAt: Date | null;
}

function targetOf({ layer, kind, startMs, endMs, place, replaces }: TargetRow): CorrectionTarget {
  if (kind === 'Title') return { layer: 'catalogue', kind, replaces };
  const stood = { startMs: startMs ?? 0, endMs: endMs ?? 0, replaces };
  return kind === 'Person' ? { layer: 'faces', kind, ...stood, place: place ?? [0, 0, 0, 0] } : { layer, kind, ...stood };
}
