import { setTimeout as wait } from 'node:timers/promises';
import { inTransaction, type Pool } from '#domain/db/database.ts';
import { sql } from '#domain/db/sql.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Ledger, LedgerFilm } from './indexing-ledger.ts';

/** What every film of the archive says once. */
export const wordOfAll = 'wagtail';

const filmsAimedAt = 120;
/** Two of them make more rows than the recent tables may hold. */
const longLines = 41_000;
const betweenMs = 60;
const afterFailureMs = 100;

export interface KillWriter {
  /** Publishes, changes and deletes until told to stop; ends when the last answer is there or will never be. */
  write(until: AbortSignal): Promise<void>;
  /** Publishes two films so long that the recent tables join the main ones, and deletes the two before them. */
  writeLong(): Promise<void>;
}

/** Writes into an archive and notes in the ledger what was acknowledged. */
export function openKillWriter(pool: Pool, ledger: Ledger, chance: SeededRandom): KillWriter {
  let made = 0;
  let long: LedgerFilm[] = [];

  async function publish(count: number, lines: number): Promise<LedgerFilm[]> {
    const films = Array.from({ length: count }, (): LedgerFilm => {
      const name = `film-${++made}`;
      return { name, id: '', word: null, oldWords: [], unsureOf: null, round: ledger.round };
    });
    const words = films.map(() => madeWord(chance));
    await attempt(
      { ledger, films },
      (n) => [words[n] ?? ''],
      async () => {
        const records = films.map(({ name }, n) => recordOf(name, words[n] ?? '', lines));
        const ids = new Map((await createCatalogueVideos(pool, records)).map(({ id, externalId }) => [externalId, id]));
        for (const [n, film] of films.entries()) Object.assign(film, { id: ids.get(film.name), word: words[n] });
      },
    );
    return films;
  }

  async function change(film: LedgerFilm): Promise<void> {
    const word = madeWord(chance);
    await attempt(
      { ledger, films: [film] },
      () => [film.word ?? '', word],
      async () => {
        await inTransaction(pool, async (db) => {
          await db.query(
            sql`update moments set body = convert_to(replace(convert_from(body, 'UTF8'), ${film.word}, ${word}), 'UTF8') where video_id = ${film.id}`,
          );
          await db.query(sql`update videos set revision = revision + 1 where id = ${film.id}`);
          await db.query(sql`select pg_notify('videos_to_index', ${film.id})`);
        });
        film.oldWords.push(film.word ?? '');
        film.word = word;
      },
    );
  }

  async function remove(film: LedgerFilm): Promise<void> {
    await attempt(
      { ledger, films: [film] },
      () => [film.word ?? ''],
      async () => {
        await pool.query(sql`delete from videos where id = ${film.id}`);
        film.oldWords.push(film.word ?? '');
        film.word = null;
      },
    );
  }

  async function writeOnce(): Promise<void> {
    const sure = [...ledger.films.values()].filter((film) => film.word !== null && !film.unsureOf && !long.includes(film));
    const film = chance.pick(sure);
    const share = chance.below(100);
    // Beyond the aim fewer come than go: what one answer lists to its end is limited.
    if (!film || share < (sure.length < filmsAimedAt ? 55 : 25)) await publish(sure.length < filmsAimedAt ? 1 + chance.below(6) : 1, 3);
    else if (share < 70) await change(film);
    else await remove(film);
  }

  return {
    write: async (until) => {
      while (!until.aborted) {
        await writeOnce();
        await wait(betweenMs);
      }
    },
    writeLong: async () => {
      for (const film of long) if (film.word !== null && !film.unsureOf) await remove(film);
      long = await publish(2, longLines);
    },
  };
}

/** Notes what films may hold until the answer is there; nobody knows how it ends when none comes. */
async function attempt(
  { ledger, films }: { ledger: Ledger; films: readonly LedgerFilm[] },
  wordsOf: (n: number) => string[],
  work: () => Promise<void>,
): Promise<void> {
  for (const [n, film] of films.entries()) {
    ledger.films.set(film.name, film);
    film.round = ledger.round;
    film.unsureOf = wordsOf(n);
  }
  try {
    await work();
    for (const film of films) film.unsureOf = null;
  } catch {
    await wait(afterFailureMs);
  }
}

/** Long enough that no other word is near it. */
function madeWord(chance: SeededRandom): string {
  return Array.from({ length: 14 }, () => chance.pick([...'abcdefghijklmnopqrstuvwxyz'])).join('');
}

function recordOf(name: string, word: string, lines: number): CatalogueRecord {
  const text = (n: number) => (n === 0 ? `The ${wordOfAll} says ${word}.` : `Line ${n} of the reel.`);
  return CatalogueRecord.parse({
    id: name,
    title: `Reel ${name}`,
    durationSeconds: lines,
    lines: Array.from({ length: lines }, (_, n) => ({ start: n, end: n + 1, text: text(n) })),
  });
}
