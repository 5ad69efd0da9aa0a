import type { Pool } from '../db/database.ts';
import type { WhySkipped } from '../videos/speech-of-film.ts';
import type { EncoderChoice } from './encoder/choose-encoder.ts';
import { findFilmToEncode, forgetMeaning, keepMeaning, reuseMeaning } from './film-meaning.ts';
import { spokenPassagesOf } from './passages-of-film.ts';

/** Makes signs of texts. */
export interface TextEncoder {
  /** Which encoder it is. */
  readonly choice: EncoderChoice;
  /** Throws an `EncoderUnusable` where it cannot be used at all, and whatever its process throws. */
  signs(texts: readonly string[]): Promise<Uint8Array>;
}

/** How many passages of a film have vectors now; `not`: why none have. */
export type EncodedFilm = { readonly passages: number } | { readonly not: string | WhySkipped };

/** Keeps vectors of what is said in a film, if they are not kept already. Throws what the encoder throws. */
export async function encodeFilm(pool: Pool, encoder: TextEncoder, videoId: string): Promise<EncodedFilm> {
  const film = await findFilmToEncode(pool, videoId, encoder.choice);
  if ('not' in film) {
    await forgetMeaning(pool, videoId);
    return film;
  }
  const passages = spokenPassagesOf(film.lines);
  const { engine } = encoder.choice;
  if (!(await reuseMeaning(pool, film, engine))) {
    const texts = passages.map(({ from, to }) => film.lines.slice(from, to).join(' '));
    // Where nothing is said, there is nothing to find by a title's meaning.
    await keepMeaning(pool, film, { engine, signs: await encoder.signs(texts.length > 0 ? [film.title, ...texts] : []) });
  }
  return passages.length === 0 ? { not: 'Nothing is said in it.' } : { passages: passages.length };
}
