import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { z } from 'zod';
import { serverLimits } from '#contract/limits.ts';
import { openPool, type Pool } from '#domain/db/database.ts';
import type { EncoderChoice, SentenceEncoder } from '#domain/meaning/encoder/choose-encoder.ts';
import { openEncoder } from '#domain/meaning/encoder/open-encoder.ts';
import { eachKeptSince, type KeptSigns, readRowsOfMeaning } from '#domain/meaning/film-meaning.ts';
import { type MeaningAnswer, MeaningOrders, MeaningQuestion } from '#domain/meaning/meaning-messages.ts';
import type { MeantFilm, MeantPlace } from '#domain/meaning/meant-film.ts';
import { spokenPassagesOf } from '#domain/meaning/passages-of-film.ts';
import { cosineOf, measureScale, Nearness, type NearnessScale, signsOf } from '#domain/meaning/signs.ts';
import { unpackMoments } from '#domain/moments/packed-moments.ts';
import { ofMeaning } from '#domain/search/weights.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';

/** Signs that are kept in memory at most, of 1.4 million passages; those of further films are read for every question. */
const keptBytesMax = 90_000_000;

interface OpenedEncoder {
  readonly choice: EncoderChoice;
  readonly encoder: SentenceEncoder;
  /** Null for the archive's own encoder, by which nearness is told. */
  readonly scale: NearnessScale | null;
}

/** Finds films by the meaning of what is said in them. */
class NearestFilms {
  readonly #pool: Pool;
  readonly #choice: EncoderChoice;
  readonly #encoder: SentenceEncoder;
  readonly #scale: NearnessScale | null;
  readonly #kept = new Map<string, Buffer>();
  #keptBytes = 0;
  #keptChange = 0;

  constructor(pool: Pool, { choice, encoder, scale }: OpenedEncoder) {
    this.#pool = pool;
    this.#choice = choice;
    this.#encoder = encoder;
    this.#scale = scale;
  }

  /** The films in which something is said that means most nearly what a text means, and those of `among`, best first. */
  async find(text: string, { limit, among }: { limit: number; among: readonly string[] }): Promise<MeantFilm[]> {
    const [vector] = this.#encoder.understands(text) ? await this.#encoder.encode([text], 'query') : [];
    if (!vector) return [];
    const near = (await this.#nearFilms(new Nearness(vector, this.#scale))).sort((a, b) => b.score - a.score);
    const isAsked = new Set(among);
    return near.filter(({ videoId }, n) => n < limit || isAsked.has(videoId));
  }

  /** Of each of these passages the two lines in a row that mean most nearly what a text means; none of films that have changed since. */
  async places(text: string, films: readonly Pick<MeantFilm, 'videoId' | 'passages'>[]): Promise<MeantPlace[]> {
    const ids = films.map(({ videoId }) => videoId);
    const rows = await readRowsOfMeaning(this.#pool, ids, this.#choice);
    const pairs = films.flatMap(({ videoId, passages }) => pairsOf(videoId, rows.get(videoId) ?? '', passages));
    const [vector] = await this.#encoder.encode([text], 'query');
    const vectors = await this.#encoder.encode(pairs.flat().map((place) => place.text));
    let n = 0;
    return pairs.flatMap((ofPassage) => {
      const scored = ofPassage.map((place) => ({ ...place, score: cosineOf(vectors[n++], vector) }));
      return scored.toSorted((a, b) => b.score - a.score).slice(0, 1);
    });
  }

  /** Every film with how near it is; whatever was kept since the last question is taken in first. */
  async #nearFilms(nearness: Nearness): Promise<MeantFilm[]> {
    const further: MeantFilm[] = [];
    let isFull = false;
    await eachKeptSince(this.#pool, { engine: this.#choice.engine, change: this.#keptChange }, (kept) => {
      this.#forget(kept.videoId);
      isFull ||= this.#keptBytes + kept.signs.length > keptBytesMax;
      if (isFull) further.push(...toMeantFilm(kept, nearness));
      else this.#keep(kept);
    });
    return [...[...this.#kept].flatMap(([videoId, signs]) => toMeantFilm({ videoId, signs }, nearness)), ...further];
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
function toMeantFilm({ videoId, signs }: Pick<KeptSigns, 'videoId' | 'signs'>, nearness: Nearness): MeantFilm[] {
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
  const score = (near[best] ?? 0) + ofMeaning.titleShare * (near[0] ?? 0);
  return [{ videoId, score, passages: [best, second, third].filter((n) => n > 0).map((n) => n - 1) }];
}

type Pair = Omit<MeantPlace, 'score'>;

/** The pairs of lines in each of these passages. A passage of one line is one of them. */
function pairsOf(videoId: string, body: string, passages: readonly number[]): Pair[][] {
  const said = unpackMoments(body).flatMap((moment, line) => (moment.kind === 'Transcript' ? [{ ...moment, line }] : []));
  const spoken = said.map((moment, n) => ({ ...moment, number: n + 1 })).filter(({ isRough }) => !isRough);
  const stretches = spokenPassagesOf(spoken.map(({ text }) => text));
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

/** Films are read for one question after the other. */
const connectionsMax = 2;

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
try {
  await run(MeaningOrders.parse(JSON.parse((await lines.next()).value ?? '')));
} catch (error) {
  process.stderr.write(`${errorMessageOf(error)}\n`);
  process.exitCode = 1;
}
// Whoever asked is gone, or needs no more; what still holds this process open is not waited for.
process.exit();

/** Answers questions until the pipe ends. */
async function run({ address, encoder: choice, memoryMaxMB }: MeaningOrders): Promise<void> {
  const encoder = await openEncoder(choice).catch((error: unknown) => {
    say({ unusable: errorMessageOf(error) });
    throw error;
  });
  const scale = choice.own ? await measureScale(encoder) : null;
  const requireMemory = () => {
    if (choice.own && measurePeakMB() > memoryMaxMB) say({ unusable: describeMemoryUse(memoryMaxMB) });
  };
  requireMemory();
  const opened = { choice, encoder, scale };
  const films = address
    ? new NearestFilms(openPool(address, { maxConnections: connectionsMax, answerWithinMs: serverLimits.databaseAnswersWithinMs }), opened)
    : null;
  const answer = async (question: z.infer<typeof MeaningQuestion>) => {
    if ('encode' in question) return signsOf(await encoder.encode(question.encode)).toString('base64');
    if (!films) throw new Error('This child looks for no films.');
    return 'find' in question ? await films.find(question.find, question) : await films.places(question.places, question.films);
  };
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const question = MeaningQuestion.parse(JSON.parse(line.value));
    const { id } = question;
    const answered = await answer(question).then(
      (result) => ({ id, result }),
      (error: unknown) => ({ id, error: errorMessageOf(error) }),
    );
    requireMemory();
    say(answered);
  }
}

/** The most megabytes that this process has held so far, or holds now where the system does not tell; what it tells of use counts its parent in. */
function measurePeakMB(): number {
  const [, peakKB] = /^VmHWM:\s+(\d+)/m.exec(readTextOrNothing('/proc/self/status')) ?? [];
  return peakKB === undefined ? process.memoryUsage.rss() / 1_000_000 : (Number(peakKB) * 1_024) / 1_000_000;
}

function readTextOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function describeMemoryUse(maxMB: number): string {
  return `it takes ${Math.round(measurePeakMB())} MB of memory, and may take ${maxMB}: choose a smaller one, or its form of eight-bit numbers`;
}

function say(answer: z.infer<typeof MeaningAnswer>): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
