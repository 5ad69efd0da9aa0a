import { serverLimits } from '#contract/limits.ts';
import { Deadline } from '../../scheduling/deadline.ts';
import { SearchTimeSlice } from '../../scheduling/search-time-slice.ts';
import type { IndexQuestion } from '../index-question.ts';
import type { TableKind } from '../index-tables.ts';
import { makeConditionTest } from '../row-condition.ts';
import { toVideoNumber, videoOfNumber } from '../video-number.ts';
import { toWordCode } from '../word-code.ts';
import { BestRows, offerRows, type RowRange, type ScoredRow } from './best-rows.ts';
import type { ChunkCache } from './chunk-cache.ts';
import { offerPhraseRows } from './phrase-rows.ts';
import { Part } from './read-part.ts';
import { weightOfWord } from './weigh-words.ts';

/**
 * The parts of an index, the oldest first. What a later one says of a film counts, and what the recent rows say counts before all; rows of
 * films that are gone still count for how rare a word is, until their part is joined with another.
 */
export class Parts {
  readonly #parts: readonly Part[];

  /** Opens the parts of these numbers; those that `before` has are taken from there. Throws where one cannot be read. */
  constructor(
    numbers: readonly number[],
    pathOf: (number: number) => string,
    { cache, before }: { cache: ChunkCache; before?: Parts | undefined },
  ) {
    const known = new Map(before ? before.#parts.map((part) => [part.number, part]) : []);
    const opened: Part[] = [];
    try {
      this.#parts = numbers.map((number) => {
        const part = known.get(number) ?? new Part(number, pathOf(number), cache);
        if (!known.has(number)) opened.push(part);
        return part;
      });
    } catch (error) {
      for (const part of opened) part.close();
      throw error;
    }
    for (const [n, part] of this.#parts.entries())
      for (const id of part.films.ids) for (const earlier of this.#parts.slice(0, n)) leave(earlier, id);
  }

  /** Takes films out of all parts: recent rows know them better, or they have left. */
  leave(videos: Iterable<string>): void {
    for (const video of videos) for (const part of this.#parts) leave(part, toVideoNumber(video));
  }

  /**
   * The rows that hold any of the words of a question, up to its limit, and those that hold its phrases, so many of each: what one finds
   * another may find as well. Throws `WordsClosed` and `SearchTimeout`.
   */
  async find(kind: TableKind, { words, others, phrases, only = {}, limit, found, work }: IndexQuestion): Promise<ScoredRow[]> {
    const weighed = this.#weigh(kind, [...words, ...others]);
    const byWords = new BestRows(limit);
    const known = phrases.flatMap((phrase) => found?.of(this, kind, phrase) ?? []);
    const runs = phrases.flatMap((phrase) => {
      if (found?.of(this, kind, phrase)) return [];
      const held = this.#weigh(kind, phrase);
      const codes = phrase.map(toWordCode);
      const isHeld = codes.every((code) => held.some((word) => word.code === code));
      // As Lucene weighs them: how many rows hold the phrase is not known.
      const weight = held.reduce((sum, word) => sum + word.weight, 0);
      return isHeld ? [{ phrase, codes, weight, best: new BestRows(limit) }] : [];
    });
    const [slice, deadline] = [new SearchTimeSlice(work), new Deadline(serverLimits.searchMaxMs)];
    const giveWay = () => (slice.isOver ? slice.next().then(() => deadline.check()) : undefined);
    const meets = makeConditionTest(only);
    for (const part of weighed.length + runs.length > 0 ? this.#parts : []) {
      const { isGone, createdMs, publishedMs, ids } = part.films;
      const allows = (film: number) =>
        isGone[film] === 0 &&
        meets({
          createdMs: createdMs[film] ?? 0,
          publishedMs: publishedMs[film] ?? 0,
          video: only.ids ? videoOfNumber(ids[film] ?? 0) : '',
        });
      const asked = { kind, allows, ranges: rangesOf(part, kind, only.ids) };
      // One word alone is a phrase of one.
      for (const { code, weight } of weighed.length === 1 ? weighed : [])
        await offerPhraseRows(part, { ...asked, codes: [code], weight }, { best: byWords, giveWay });
      if (weighed.length > 1) await offerRows(part, { ...asked, words: weighed }, { best: byWords, giveWay });
      for (const { codes, weight, best } of runs) await offerPhraseRows(part, { ...asked, codes, weight }, { best, giveWay });
    }
    for (const { phrase, best } of runs) if (best.isAll) found?.keep(this, { kind, phrase, rows: best.inOrder() });
    return [...[byWords, ...runs.map(({ best }) => best)].flatMap((best) => best.inOrder()), ...known];
  }

  /** Where the head of a film stands in the file of words, in bytes; undefined where it has none here. */
  headOf(video: string): number | undefined {
    for (const part of this.#parts) {
      const film = part.filmOf(toVideoNumber(video));
      if (film >= 0 && part.films.isGone[film] === 0) return part.headOf(film);
    }
    return undefined;
  }

  /** Every film that counts, with where its rows stand. */
  *allFilms(): Generator<{ readonly id: string; readonly head: number; readonly passages: readonly number[] }> {
    for (const part of this.#parts)
      for (const { id, head, passages } of part.allRows()) if (head !== undefined) yield { id, head, passages };
  }

  /** Closes those that `other` does not have. */
  close(other?: Parts): void {
    const kept = new Set(other ? other.#parts : []);
    for (const part of this.#parts) if (!kept.has(part)) part.close();
  }

  #weigh(kind: TableKind, words: readonly string[]) {
    const rows = this.#parts.reduce((sum, part) => sum + part.rows[kind].count, 0);
    return [...new Set(words.map(toWordCode))].flatMap((code) => {
      const holding = this.#parts.reduce((sum, part) => sum + part.holding(kind, code), 0);
      return holding > 0 ? [{ code, weight: weightOfWord(rows, holding) }] : [];
    });
  }
}

/** Where the rows of these films lie in a part, or all of its rows. */
function rangesOf(part: Part, kind: TableKind, ids: readonly string[] | undefined): readonly RowRange[] {
  if (!ids) return [{ from: 0, to: part.rows[kind].count }];
  const firstRows = part.films.firstRows[kind];
  const films = [...new Set(ids.map((id) => part.filmOf(toVideoNumber(id))))].filter((film) => film >= 0).sort((a, b) => a - b);
  return films.map((film) => ({ from: firstRows[film] ?? 0, to: firstRows[film + 1] ?? 0 }));
}

function leave(part: Part, id: number): void {
  const film = part.filmOf(id);
  if (film >= 0) part.films.isGone[film] = 1;
}
