import type { CaptionState } from '#contract/films.ts';
import { type Statement, sql } from '../db/sql.ts';
import type { Moment } from './moment.ts';
import { type PackedMoments, unpackMoments } from './packed-moments.ts';

/*
 * How statements read the packed row of a film. The table and its columns are named in this room alone; in what stands here `v` is a row of
 * `videos`.
 */

/** The row holds it as bytes, as lines are read out of it by where they stand. By the name of the encoding it would be of the collation C, to which only a to z have cases. */
const bodyText = sql`convert_from(m.body, 'UTF8') collate "default"`;

/** The lines of a film as text, empty where it has none. By key, film by film: after a large import the planner knows too little, and would read all films. */
export const packedBody = sql`coalesce((select ${bodyText} from moments m where m.video_id = v.id), '')`;

/** The columns of `PackedMoments`, and the join that they come by. */
export const packedRow = {
  columns: sql`coalesce(${bodyText}, '') as body, m.word_starts as "wordStarts", m.engines`,
  join: sql`left join moments m on m.video_id = v.id`,
};

/** How far people are with what is said in a film: the columns of `LineCounts`, the join that they come by, and how it stands by them. */
export const lineCounts = {
  columns: sql`coalesce(m.lines, 0) as lines, coalesce(m.heard, 0) as heard, coalesce(m.looked, 0) as looked, coalesce(m.doubtful, 0) as doubtful`,
  join: packedRow.join,
  states: {
    none: sql`coalesce(m.lines, 0) = 0`,
    given: sql`(m.lines > 0 and m.heard = 0 and m.looked = 0)`,
    unchecked: sql`(m.heard > 0 and m.looked = 0)`,
    started: sql`(m.looked > 0 and m.looked < m.lines)`,
    doubtful: sql`m.doubtful > 0`,
    verified: sql`(m.lines > 0 and m.looked = m.lines)`,
  } satisfies Record<CaptionState, Statement>,
};

/** Lines of a film that are wanted: their numbers in its packed row, in order, and where all its lines begin, in bytes; one more tells where the next would. */
export interface WantedLines {
  readonly lines: readonly number[];
  readonly starts: ArrayLike<number>;
}

/** The columns `lines`, `starts` and `lengths` of rows `wanted`, as arrays of arrays, which PostgreSQL has no type for. */
export function toWantedColumns(wanted: readonly WantedLines[]): Readonly<Record<'lines' | 'starts' | 'lengths', string[]>> {
  const arrayOf = (numbers: readonly number[]) => `{${numbers.join()}}`;
  return {
    lines: wanted.map(({ lines }) => arrayOf(lines)),
    starts: wanted.map(({ lines, starts }) => arrayOf(lines.map((line) => starts[line] ?? 0))),
    lengths: wanted.map(({ lines, starts }) => arrayOf(lines.map((line) => (starts[line + 1] ?? 0) - (starts[line] ?? 0) - 1))),
  };
}

/** PostgreSQL reads so much of a stored row, in one piece, in the time that it takes for a line of it. */
const bytesReadAsFastAsLine = 6_000;

/**
 * The columns of `WantedRow`, and the join that they come by, in a statement with rows `wanted` beside `v`: the lines that each of these wants, or
 * the whole row where `isWhole` holds. Of a row that is stored as it is only the lines are read, each by itself while they are few.
 */
export function readWanted(isWhole: Statement): { readonly columns: Statement; readonly join: Statement } {
  return {
    columns: sql`
           case when ${isWhole} then coalesce(${bodyText}, '') end as packed,
           case when ${isWhole} then m.word_starts end as "wordStarts",
           (select convert_from(string_agg(substring(m.body from line.start + 1 for line.length), '\\x0a' order by line.start), 'UTF8')
              from unnest(wanted.starts::int[], wanted.lengths::int[]) as line (start, length)) as shown,
           case when m.starts_of_lines is not null
                then (select string_agg(m.starts_of_lines[line.number + 1], E'\\n' order by line.number)
                        from unnest(wanted.lines::int[]) as line (number)) end as "shownStarts"`,
    join: sql`
      left join lateral (
        select word_starts,
               case when octet_length(body) < ${bytesReadAsFastAsLine} * cardinality(wanted.lines::int[]) then body || '' else body end as body,
               case when not (${isWhole}) and wanted.lines <> '{}' then string_to_array(word_starts, E'\\n') end as starts_of_lines
          from moments where video_id = v.id limit 1) m on true`,
  };
}

/** What `readWanted` reads of a film. */
export interface WantedRow {
  /** The whole body; null where only lines are wanted. */
  readonly packed: string | null;
  readonly wordStarts: string | null;
  /** The lines as the row has them, and their word starts. */
  readonly shown: string | null;
  readonly shownStarts: string | null;
}

/** The moments of such a row by their numbers: those that are wanted, or all where it came whole. */
export function unpackWanted(
  { packed, wordStarts, shown, shownStarts }: WantedRow,
  { lines }: Pick<WantedLines, 'lines'>,
): Map<number, Moment> {
  if (packed !== null) return new Map(unpackMoments(packed, { wordStarts }).entries());
  return new Map(unpackMoments(shown ?? '', { wordStarts: shownStarts }).map((moment, n) => [lines[n] ?? 0, moment]));
}

/** The beginning of a film's lines, for `unpackBeginning`. */
export const readBeginning = (characters: number) => sql`left(${packedBody}, ${characters})`;

/** The moments of such a beginning; its last line may be cut short, and then is none. */
export function unpackBeginning(body: string, characters: number): Moment[] {
  return unpackMoments(body.length < characters ? body : body.slice(0, Math.max(0, body.lastIndexOf('\n'))));
}

/** How long each line of a packed body is, in bytes. */
export function lengthsOfLines(body: PackedMoments['body']): number[] {
  return body === '' ? [] : body.split('\n').map((line) => Buffer.byteLength(line));
}
