import { createInterface } from 'node:readline';
import type { z } from 'zod';
import { openPool, type Pool } from '#domain/db/database.ts';
import { errorMessage } from '#domain/db/error-message.ts';
import { openEncoder, type SentenceEncoder } from '#domain/meaning/encoder/open-encoder.ts';
import { dimensions } from '#domain/meaning/encoder/universal-sentence-encoder.ts';
import { eachKeptSince, type KeptSigns, readRowsOfMeaning } from '#domain/meaning/film-meaning.ts';
import { type MeaningAnswer, MeaningOrders, MeaningQuestion } from '#domain/meaning/meaning-messages.ts';
import type { MeantFilm, MeantPlace } from '#domain/meaning/meant-film.ts';
import { passagesOf } from '#domain/meaning/passages-of-film.ts';
import { unpackMoments } from '#domain/moments/packed-moments.ts';

/** Bytes of the signs of a vector. */
const signBytes = dimensions / 8;

/**
 * The signs of vectors, a bit for each number. Beside a vector as it is they tell as well what is near to it as the numbers themselves, and
 * take a thirtieth of the room.
 */
function signsOf(vectors: readonly Float32Array[]): Buffer {
  const signs = Buffer.alloc(vectors.length * signBytes);
  for (const [row, vector] of vectors.entries())
    for (let n = 0; n < dimensions; n++) {
      const at = row * signBytes + (n >> 3);
      if ((vector[n] ?? 0) > 0) signs[at] = (signs[at] ?? 0) | (1 << (n & 7));
    }
  return signs;
}

const byteValues = 256;

/** Tells how near the vectors with these signs are to one vector: about 1 for the same meaning, 0 for another. */
class Nearness {
  /** What each byte of signs adds. */
  readonly #ofBytes = new Float32Array(signBytes * byteValues);

  constructor(vector: Float32Array) {
    const length = vector.reduce((sum, number) => sum + Math.abs(number), 0);
    for (let byte = 0; byte < signBytes; byte++)
      for (let value = 0; value < byteValues; value++) {
        let sum = 0;
        for (let bit = 0; bit < 8; bit++) sum += ((value >> bit) & 1 ? 1 : -1) * (vector[byte * 8 + bit] ?? 0);
        this.#ofBytes[byte * byteValues + value] = sum / length;
      }
  }

  /** Of each vector whose signs stand in `signs`, one behind the other. */
  of(signs: Uint8Array): Float32Array {
    const near = new Float32Array(signs.length / signBytes);
    for (let row = 0, at = 0; row < near.length; row++) {
      let sum = 0;
      for (let byte = 0; byte < signBytes; byte++) sum += this.#ofBytes[byte * byteValues + (signs[at++] ?? 0)] ?? 0;
      near[row] = sum;
    }
    return near;
  }
}

/** Signs that are kept in memory at most, of 1.4 million passages; those of further films are read for every question. */
const keptBytesMax = 90_000_000;
/** What a title adds that means what is asked: it tells what all of the film is about. */
const titleShare = 0.2;

/** Finds films by the meaning of what is said in them. */
class NearestFilms {
  readonly #pool: Pool;
  readonly #encoder: SentenceEncoder;
  readonly #kept = new Map<string, Buffer>();
  #keptBytes = 0;
  #keptChange = 0;

  constructor(pool: Pool, encoder: SentenceEncoder) {
    this.#pool = pool;
    this.#encoder = encoder;
  }

  /** The films in which something is said that means most nearly what a text means, and those of `among`, best first. */
  async find(text: string, { limit, among }: { limit: number; among: readonly string[] }): Promise<MeantFilm[]> {
    const [vector] = this.#encoder.understands(text) ? await this.#encoder.encode([text]) : [];
    if (!vector) return [];
    const near = (await this.#nearFilms(new Nearness(vector))).sort((a, b) => b.score - a.score);
    const isAsked = new Set(among);
    return near.filter(({ videoId }, n) => n < limit || isAsked.has(videoId));
  }

  /** Of each of these passages the two lines in a row that mean most nearly what a text means; none of films that have changed since. */
  async places(text: string, films: readonly Pick<MeantFilm, 'videoId' | 'passages'>[]): Promise<MeantPlace[]> {
    const ids = films.map(({ videoId }) => videoId);
    const rows = await readRowsOfMeaning(this.#pool, ids);
    const pairs = films.flatMap(({ videoId, passages }) => pairsOf(videoId, rows.get(videoId) ?? '', passages));
    const [vector, ...vectors] = await this.#encoder.encode([text, ...pairs.flat().map((place) => place.text)]);
    let n = 0;
    return pairs.flatMap((ofPassage) => {
      const scored = ofPassage.map((place) => ({ ...place, score: cosine(vectors[n++], vector) }));
      return scored.toSorted((a, b) => b.score - a.score).slice(0, 1);
    });
  }

  /** Every film with how near it is; whatever was kept since the last question is taken in first. */
  async #nearFilms(nearness: Nearness): Promise<MeantFilm[]> {
    const further: MeantFilm[] = [];
    let isFull = false;
    await eachKeptSince(this.#pool, this.#keptChange, (kept) => {
      this.#forget(kept.videoId);
      isFull ||= this.#keptBytes + kept.signs.length > keptBytesMax;
      if (isFull) further.push(...nearFilm(kept, nearness));
      else this.#keep(kept);
    });
    return [...[...this.#kept].flatMap(([videoId, signs]) => nearFilm({ videoId, signs }, nearness)), ...further];
  }

  #keep({ videoId, signs, change }: KeptSigns): void {
    // A copy: a row keeps all that came from the database with it.
    this.#kept.set(videoId, Buffer.from(signs));
    this.#keptBytes += signs.length;
    this.#keptChange = change;
  }

  #forget(videoId: string): void {
    this.#keptBytes -= this.#kept.get(videoId)?.length ?? 0;
    this.#kept.delete(videoId);
  }
}

/** A film by its signs, those of its title first, with its three best passages; none for one in which nothing is said. */
function nearFilm({ videoId, signs }: Pick<KeptSigns, 'videoId' | 'signs'>, nearness: Nearness): MeantFilm[] {
  const near = nearness.of(signs);
  // The first is the title's.
  let [best, second, third] = [0, 0, 0];
  for (let n = 1; n < near.length; n++) {
    const score = near[n] ?? 0;
    if (best === 0 || score > (near[best] ?? 0)) [best, second, third] = [n, best, second];
    else if (second === 0 || score > (near[second] ?? 0)) [second, third] = [n, second];
    else if (third === 0 || score > (near[third] ?? 0)) third = n;
  }
  if (best === 0) return [];
  const score = (near[best] ?? 0) + titleShare * (near[0] ?? 0);
  return [{ videoId, score, passages: [best, second, third].filter((n) => n > 0).map((n) => n - 1) }];
}

type Pair = Omit<MeantPlace, 'score'>;

/** The pairs of lines in each of these passages. A passage of one line is one of them. */
function pairsOf(videoId: string, body: string, passages: readonly number[]): Pair[][] {
  const said = unpackMoments(body).flatMap((moment, line) => (moment.kind === 'Transcript' ? [{ ...moment, line }] : []));
  const spoken = said.map((moment, n) => ({ ...moment, number: n + 1 })).filter(({ isRough }) => !isRough);
  const stretches = passagesOf(spoken.map(({ text }) => text));
  return passages.flatMap((number) => {
    const stretch = stretches[number];
    if (!stretch) return [];
    const { from, to } = stretch;
    const pairs = Array.from({ length: Math.max(1, to - from - 1) }, (_, n): Pair => {
      const lines = spoken.slice(from + n, Math.min(to, from + n + 2));
      return {
        videoId,
        startMs: lines[0]?.startMs ?? 0,
        text: lines.map(({ text }) => text).join(' '),
        lines: lines.map(({ line }) => line),
        ofKind: lines.map(({ number }) => number),
      };
    });
    return [pairs];
  });
}

/** Of vectors of length 1. */
function cosine(one: Float32Array = new Float32Array(), other: Float32Array = new Float32Array()): number {
  return one.reduce((sum, value, n) => sum + value * (other[n] ?? 0), 0);
}

/** Films are read for one question after the other. */
const connectionsMax = 2;

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
try {
  await run(MeaningOrders.parse(JSON.parse((await lines.next()).value ?? '')));
} catch (error) {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exitCode = 1;
}
// Whoever asked is gone, or needs no more; what still holds this process open is not waited for.
process.exit();

/** Answers questions until the pipe ends. */
async function run({ address }: MeaningOrders): Promise<void> {
  const encoder = await openEncoder();
  const films = address ? new NearestFilms(openPool(address, { maxConnections: connectionsMax }), encoder) : null;
  const answer = async (question: z.infer<typeof MeaningQuestion>) => {
    if ('encode' in question) return signsOf(await encoder.encode(question.encode)).toString('base64');
    if (!films) throw new Error('This child looks for no films.');
    return 'find' in question ? await films.find(question.find, question) : await films.places(question.places, question.films);
  };
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const question = MeaningQuestion.parse(JSON.parse(line.value));
    const { id } = question;
    say(
      await answer(question).then(
        (result) => ({ id, result }),
        (error: unknown) => ({ id, error: errorMessage(error) }),
      ),
    );
  }
}

function say(answer: z.infer<typeof MeaningAnswer>): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
