import { z } from 'zod';
import { FactName } from '#contract/corrections.ts';
import { limits } from '#contract/limits.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Erasure } from './erasures.ts';
import { FaceTrack, isSameTrack, type Place } from './faces.ts';
import { type LayerName, type NamesLayer, namesLayers } from './layers.ts';
import type { Moment, MomentKind } from './moment.ts';
import { holdsMarkedName } from './name-mark.ts';

/** Kinds whose moments can be corrected one by one. */
type CorrectedKind = Extract<MomentKind, 'Transcript' | 'Ocr'>;

/** A line as a person corrects it. Times in milliseconds; null where nobody is known to speak. */
export const Line = z.object({
  startMs: z.number().int(),
  endMs: z.number().int(),
  text: z.string(),
  speaker: z.string().nullable(),
});
export type Line = z.infer<typeof Line>;

/**
 * Lines that stood one behind the other, and those that stand there instead: fewer, more, at other times, or none. Where they are all that is said
 * in the film (`isAll`), they stand in the place of every line, whatever that says.
 */
const LineChange = z
  .object({ was: z.array(Line), are: z.array(Line), isAll: z.boolean().optional() })
  .readonly()
  .transform(withIsAll);
export type LineChange = z.infer<typeof LineChange>;

/** Older rows lack `isAll`; a change of more lines than a page may send came from a file, and is of all of them. */
function withIsAll<T extends { was: unknown[]; are: unknown[]; isAll?: boolean | undefined }>(change: Readonly<T>): Readonly<T> {
  return { ...change, isAll: change.isAll ?? Math.max(change.was.length, change.are.length) > limits.linesPerChangeMax };
}

/**
 * The appearances that a name was given to, by their times and places: another look at a film finds them again one by one, however it groups
 * them. Where they were all of a group (`isWhole`), what else is found of that group has the name too. `others` are those of another face that is the
 * same person, whoever that is: such a correction says no name.
 */
const Appearances = z.object({ tracks: z.array(FaceTrack), isWhole: z.boolean(), others: z.array(FaceTrack).optional() }).readonly();
export type Appearances = z.infer<typeof Appearances>;

const FactBesideTitle = FactName.exclude(['title']);

/** What a correction is about: the film's title or what else is known of it as a whole, whom or what it names, a face by when and where it was seen, or a moment by where it stood and what it said. Times in milliseconds. */
export type CorrectionTarget =
  | { readonly layer: 'catalogue'; readonly kind: 'Title'; readonly replaces: string }
  | { readonly layer: 'catalogue'; readonly kind: 'Fact'; readonly fact: z.infer<typeof FactBesideTitle>; readonly replaces: string }
  /** A person, label or brand of the film, by what it was called; empty where it is added. */
  | { readonly layer: NamesLayer; readonly kind: 'Name'; readonly replaces: string }
  /** The second that stands for the film. */
  | { readonly layer: 'catalogue'; readonly kind: 'Poster'; readonly startMs: number; readonly endMs: number; readonly replaces: string }
  | {
      readonly layer: 'faces';
      readonly kind: 'Person';
      readonly startMs: number;
      readonly endMs: number;
      readonly place: Place;
      readonly replaces: string;
      /** Older rows lack this field; they are about the group that was seen there. */
      readonly appearances?: Appearances | undefined;
    }
  | {
      readonly layer: LayerName;
      readonly kind: CorrectedKind;
      readonly startMs: number;
      readonly endMs: number;
      /** The text of several lines is parted by line ends. */
      readonly replaces: string;
      /** Where more than the text of one line was changed. */
      readonly lines?: LineChange | undefined;
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
  /** What it says instead; null where somebody confirmed that it is right, and where two faces are one. */
  readonly says: string | null;
  /** Shared by those that were made with one press. */
  readonly batch?: string | null;
  readonly made: Deed;
  readonly undone: Deed | null;
}

/** Every correction of a video, undone or not, in the order in which they were made. Throws on a row that `addCorrection` did not write. */
export async function findCorrections(db: Db, videoId: string): Promise<Correction[]> {
  const { rows } = await db.query<CorrectionRow>(sql`
    select id, layer, kind, start_ms as "startMs", end_ms as "endMs", place, appearances, lines, fact, replaces, says, batch,
           made_by as "madeBy", made_at as "madeAt", undone_by as "undoneBy", undone_at as "undoneAt"
      from corrections where video_id = ${videoId} order by id`);
  return rows.map(({ id, says, batch, madeBy, madeAt, undoneBy, undoneAt, ...row }) => ({
    id,
    says,
    batch,
    target: targetOf({ id, ...row }),
    made: { by: madeBy, at: madeAt },
    undone: undoneBy === null || undoneAt === null ? null : { by: undoneBy, at: undoneAt },
  }));
}

/** The names that editors gave a video as a whole, by the layer they lie in. */
export type NamesByEditors = Readonly<Record<NamesLayer, readonly string[]>>;

/** The names of a video that stand there because an editor said so. */
export async function findNamesByEditors(db: Db, videoId: string): Promise<NamesByEditors> {
  const { rows } = await db.query<{ layer: NamesLayer; says: string }>(sql`
    select layer, says from corrections where video_id = ${videoId} and kind = 'Name' and says <> '' and undone_at is null`);
  const of = (name: NamesLayer) => rows.flatMap(({ layer, says }) => (layer === name ? [says] : []));
  return { people: of('people'), labels: of('labels'), brands: of('brands') };
}

/** Those that were made with one press, by their batch. */
export function batchesOf(corrections: readonly Correction[]): Map<string, Correction[]> {
  return Map.groupBy(
    corrections.filter(({ batch }) => batch),
    ({ batch }) => batch ?? '',
  );
}

/** Notes a correction; returns its id. */
export async function addCorrection(
  db: Db,
  videoId: string,
  { target, says, batch = null, by }: Pick<Correction, 'target' | 'says'> & { readonly batch?: string | null; readonly by: string },
): Promise<Correction['id']> {
  const { startMs, endMs } = 'startMs' in target ? target : { startMs: null, endMs: null };
  const fact = 'fact' in target ? target.fact : null;
  const place = target.kind === 'Person' ? target.place : null;
  const appearances = target.kind === 'Person' && target.appearances ? JSON.stringify(target.appearances) : null;
  const lines = 'lines' in target && target.lines ? JSON.stringify(target.lines) : null;
  const { rows } = await db.query<{ id: number }>(sql`
    insert into corrections (video_id, layer, kind, start_ms, end_ms, place, appearances, lines, fact, replaces, says, batch, made_by)
    values (${videoId}, ${target.layer}, ${target.kind}, ${startMs}, ${endMs}, ${place}::int[], ${appearances}::jsonb, ${lines}::jsonb, ${fact}, ${target.replaces},
            ${says}, ${batch}::uuid, ${by})
    returning id`);
  const [added] = rows;
  if (!added) throw new Error('a correction was not noted');
  return added.id;
}

/** Notes that a correction counts no more, with those that were made together with it; false when the video has no such correction that still counts. */
export async function noteUndone(db: Db, videoId: string, { id, by }: { id: Correction['id']; by: string }): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update corrections set undone_by = ${by}, undone_at = now()
     where video_id = ${videoId} and undone_at is null
       and (id = ${id} or batch = (select batch from corrections where video_id = ${videoId} and id = ${id} and undone_at is null))`);
  return (rowCount ?? 0) > 0;
}

/**
 * Deletes the corrections of a film by which somebody who was forgotten is named, or by which their face is said to be somebody's, undone or not, within
 * a transaction that may; one that took their name out of a text stays. What is said and written in the film stays as people corrected it, but for
 * speakers of lines of that name. Returns the other names that people had given to their face.
 */
export async function clearCorrections(db: Db, videoId: string, erasures: readonly Erasure[]): Promise<string[]> {
  const holdsName = (text: string) => erasures.some(({ nameMark }) => nameMark !== null && holdsMarkedName(text, nameMark));
  const corrections = await findCorrections(db, videoId);
  const ofTheirFace = corrections.filter((correction) => isOfFace(correction, erasures));
  const naming = corrections.filter(({ target }) => target.kind !== 'Transcript' && target.kind !== 'Ocr');
  const saying = naming.filter(({ says, target }) => holdsName(says ?? target.replaces));
  const going = [...new Set([...ofTheirFace, ...saying])].map(({ id }) => id);
  await db.query(sql`delete from corrections where id = any (${going}::bigint[])`);
  // What a film or a face was called before changes nothing.
  const named = naming.filter(({ target }) => holdsName(target.replaces));
  await db.query(sql`update corrections set replaces = '' where id = any (${named.map(({ id }) => id)}::bigint[])`);
  const withoutThem = (line: Line): Line => (holdsName(line.speaker ?? '') ? { ...line, speaker: null } : line);
  for (const { id, target } of corrections) {
    const change = 'lines' in target ? target.lines : undefined;
    if (!change || ![...change.was, ...change.are].some(({ speaker }) => holdsName(speaker ?? ''))) continue;
    const lines = { ...change, was: change.was.map(withoutThem), are: change.are.map(withoutThem) };
    await db.query(sql`update corrections set lines = ${JSON.stringify(lines)}::jsonb where id = ${id}`);
  }
  return ofTheirFace.flatMap(({ says }) => says ?? []);
}

function isOfFace({ target }: Correction, erasures: readonly Erasure[]): boolean {
  if (target.kind !== 'Person') return false;
  const { startMs: atMs, place, appearances } = target;
  const seen = { startMs: atMs, endMs: atMs + 1, places: [{ atMs, place }] };
  const isTheirs = (one: FaceTrack) => erasures.some(({ tracks }) => tracks.some((track) => isSameTrack(track, one)));
  return isTheirs(seen) || [appearances?.tracks, appearances?.others].some((all) => all?.every(isTheirs) ?? false);
}

interface TargetRow {
  readonly id: number;
  readonly layer: LayerName;
  readonly kind: CorrectionTarget['kind'];
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly place: Place | null;
  readonly appearances: unknown;
  readonly lines: unknown;
  readonly fact: string | null;
  readonly replaces: string;
}

interface CorrectionRow extends TargetRow {
  readonly says: string | null;
  readonly batch: string | null;
  readonly madeBy: string;
  readonly madeAt: Date;
  readonly undoneBy: string | null;
  readonly undoneAt: Date | null;
}

/** What no version has written is nobody's correction of anything else: a video that has one is changed no more before somebody looks at it. */
function targetOf({ id, layer, kind, startMs, endMs, place, appearances, lines, fact, replaces }: TargetRow): CorrectionTarget {
  const names = namesLayers.find((name) => name === layer);
  if (kind === 'Title') return { layer: 'catalogue', kind, replaces };
  if (kind === 'Fact' && fact !== null) return { layer: 'catalogue', kind, fact: FactBesideTitle.parse(fact), replaces };
  if (kind === 'Name' && names) return { layer: names, kind, replaces };
  if (startMs !== null && endMs !== null) {
    const stood = { startMs, endMs, replaces };
    if (kind === 'Poster') return { layer: 'catalogue', kind, ...stood };
    if (kind === 'Person' && place !== null)
      return { layer: 'faces', kind, ...stood, place, ...(appearances === null ? {} : { appearances: Appearances.parse(appearances) }) };
    if (kind === 'Transcript' || kind === 'Ocr')
      return { layer, kind, ...stood, ...(lines === null ? {} : { lines: LineChange.parse(lines) }) };
  }
  throw new Error(`correction ${id} cannot be read: it is of the kind ${kind} in the layer ${layer}, and lacks what belongs to that`);
}

/** A moment among those that can be corrected line by line. */
export interface CorrectedLine {
  readonly moment: Moment;
  /** The correction that it says this by. */
  readonly by?: Correction['id'];
  /** What it said by corrections that were taken back: those made after them still find it. */
  readonly said?: readonly string[];
  /** Where it began by those. */
  readonly stoodMs?: readonly number[];
}

/** A text whose words one blank parts. */
export function collapseSpaces(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** The words of a text, as blanks part them. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

/** Somebody has looked at it: it is not rough any more. */
export function markLookedAt({ isRough: _, ...moment }: Moment): Moment {
  return moment;
}

/** Hands out the moments that stand at the very time of a line, each once: of several the one that says the same, else the next. */
export function linesByTime(moments: readonly Moment[]): (line: Line) => Moment | undefined {
  const at = ({ startMs, endMs }: Pick<Line, 'startMs' | 'endMs'>) => `${startMs} ${endMs}`;
  const left = Map.groupBy(moments, at);
  return (line) => {
    const there = left.get(at(line)) ?? [];
    return there.splice(
      Math.max(
        0,
        there.findIndex(({ text }) => text === line.text),
      ),
      1,
    )[0];
  };
}

/** In order of time; those that begin and end at once stay as they were. */
export function compareByTime({ moment: a }: CorrectedLine, { moment: b }: CorrectedLine): number {
  return a.startMs - b.startMs || a.endMs - b.endMs;
}
