import type { Pool } from '#domain/db/database.ts';
import { encodeFilm } from '#domain/meaning/encode-film.ts';
import { builtInEncoder, type EncoderChoice } from '#domain/meaning/encoder/choose-encoder.ts';
import { findFilmsBehind } from '#domain/meaning/film-meaning.ts';
import { openMeaningProcess } from '#domain/meaning/meaning-process.ts';

/** Films that one child encodes before it is asked for the next ones. */
const filmsAtOnce = 50;

interface MakingMeaning {
  readonly children?: number;
  readonly encoder?: EncoderChoice;
  readonly progress?: (films: number) => void;
}

/** Makes vectors of all films of an archive that lack them, with so many children at a time; `progress` hears how many films it has done. */
export async function makeMeaning(pool: Pool, { children = 1, encoder = builtInEncoder, progress }: MakingMeaning = {}) {
  const encoders = Array.from({ length: children }, () => openMeaningProcess({ encoder }));
  let done = 0;
  try {
    for (;;) {
      const films = await findFilmsBehind(pool, { ...encoder, limit: filmsAtOnce });
      if (films.length === 0) return;
      const next = films.values();
      await Promise.all(
        encoders.map(async (encoder) => {
          for (const id of next) await encodeFilm(pool, encoder, id);
        }),
      );
      done += films.length;
      progress?.(done);
    }
  } finally {
    for (const encoder of encoders) encoder.close();
  }
}
