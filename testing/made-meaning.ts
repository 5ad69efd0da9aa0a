import type { Pool } from '#domain/db/database.ts';
import { encodeFilm } from '#domain/meaning/encode-film.ts';
import { findFilmsBehind } from '#domain/meaning/film-meaning.ts';
import { openMeaningProcess } from '#domain/meaning/meaning-process.ts';

/** Films that one child encodes before it is asked for the next ones. */
const filmsAtOnce = 50;

/** Makes vectors of all films of an archive that lack them, with so many children at a time; `progress` hears how many films it has done. */
export async function makeMeaning(pool: Pool, { children = 1, progress }: { children?: number; progress?: (films: number) => void } = {}) {
  const encoders = Array.from({ length: children }, () => openMeaningProcess());
  let done = 0;
  try {
    for (;;) {
      const films = await findFilmsBehind(pool, { engine: encoders[0]?.engine ?? '', limit: filmsAtOnce });
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
