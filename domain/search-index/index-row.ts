import { Field, Float64, Schema, Utf8 } from 'apache-arrow';
import { unpackTexts } from '../moments/packed-moments.ts';
import { type FilmText, readFilmText } from './films/film-text.ts';
import { type HeadFacts, isFieldWord, writeHeadText } from './head-lines.ts';
import { passagesOf } from './passages.ts';
import { toVideoNumber, videoOfNumber } from './video-number.ts';

/** Raised whenever rows or folding change: an index of another format is rebuilt. */
export const indexFormat = 16;

/** A row of either table. Times in milliseconds since 1970. */
export interface IndexRow {
  readonly video: string;
  readonly kind: string;
  readonly createdMs: number;
  readonly publishedMs: number;
  readonly text: string;
}

/** A row with the offset of its words in the file beside the tables, in bytes. */
export interface StoredRow extends IndexRow {
  readonly offset: number;
}

/** The kind of a row that says that a film has left the archive: only the table of recent heads has any. */
const goneKind = 'Gone';

/** Marks a film that has left. The row has no words, so its offset is negative, and holds the number of the film. */
export function makeGoneRow(video: string): StoredRow {
  return { video, kind: goneKind, createdMs: 0, publishedMs: 0, text: '', offset: -1 - toVideoNumber(video) };
}

/** The film that has left, by the offset of such a row; undefined for that of any other row. */
export function goneVideoAt(offset: number): string | undefined {
  return offset < 0 ? videoOfNumber(-1 - offset) : undefined;
}

export const indexSchema = new Schema([
  new Field('video', new Utf8(), false),
  new Field('kind', new Utf8(), false),
  new Field('createdMs', new Float64(), false),
  new Field('publishedMs', new Float64(), false),
  new Field('offset', new Float64(), false),
  new Field('text', new Utf8(), false),
]);

export interface VideoToIndex extends HeadFacts {
  readonly id: string;
  /** Its tag, as of BCP 47 where it is one. */
  readonly language: string;
  readonly revision: number;
  /** Whether there is a film to it. */
  readonly isPlayable: boolean;
  readonly createdAt: Date;
  readonly publishedAt: Date | null;
  readonly body: string;
}

/** A row of a passage, with the number of its first line among those of its kind. */
interface PassageRow extends IndexRow {
  readonly from: number;
}

export interface VideoRows {
  readonly revision: number;
  readonly language: string;
  readonly isPlayable: boolean;
  readonly head: IndexRow;
  readonly passages: readonly PassageRow[];
  /** The lines that the passages are cut from, and whatever else is matched. */
  readonly film: FilmText;
}

/** The rows that make a video findable: one head row, and one per passage. */
export function rowsOf(video: VideoToIndex): VideoRows {
  const moments = unpackTexts(video.body);
  const common = {
    video: video.id,
    createdMs: video.createdAt.getTime(),
    publishedMs: (video.publishedAt ?? video.createdAt).getTime(),
  };
  const film = readFilmText(video.body, moments);
  return {
    revision: video.revision,
    language: video.language,
    isPlayable: video.isPlayable,
    head: { ...common, kind: 'Head', text: writeHeadText(video, moments) },
    passages: passagesOf(film.lines).map((passage) => ({ ...common, ...passage })),
    film,
  };
}

/** The different words of a video's rows: what the vocabulary counts. Those that say where others stand are none. */
export function termsOf(texts: Iterable<string>): Set<string> {
  const terms = new Set<string>();
  for (const text of texts) for (const term of text.split(/[ \n]/)) if (term !== '' && !isFieldWord(term)) terms.add(term);
  return terms;
}
