import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from '#domain/db/sql.ts';
import { holdsMeaning } from '#domain/meaning/film-meaning.ts';
import { type MeaningProcess, openMeaningProcess } from '#domain/meaning/meaning-process.ts';
import { spokenPassagesOf } from '#domain/meaning/passages-of-film.ts';
import { ofMeaning } from '#domain/search/weights.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { type MeasuredArchive, openMeasuredArchive } from '#testing/measured-archive.ts';
import { mediaFolder } from '#testing/shared-media.ts';
import { openMadeArchive, removeDrawnSigns } from './made-archive.ts';
import { readPeerAnswer } from './peer-reader.ts';
import { percentile } from './percentile.ts';
import { comparison, type TimedQuestion } from './search-comparison.ts';
import { readSpokenLines } from './search-corpus.ts';
import { searchInFreshProcess } from './search-fresh.ts';
import { openSearchPeer, type SearchPeer } from './search-peer.ts';
import { makeQuestions, type Question } from './search-questions.ts';

const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '10000' },
    moments: { type: 'string', default: '600' },
    transcripts: { type: 'string', default: mediaFolder },
    show: { type: 'boolean', default: false },
    keep: { type: 'string' },
    /** Megabytes that a process may hold for searching; over it this ends with 1. */
    budget: { type: 'string' },
  },
});
const size = { videos: Number(values.videos), moments: Number(values.moments) };
const roundsPerQuestion = 5;
const questionsOfMeaning = 100;
/** A question that takes the peer longer is asked of it twice only, and its second time stands for the others. */
const peerPatienceMs = 1_000;
const progress = (line: string) => void process.stderr.write(`${line}\n`);
const print = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);

const { archive, searched, questions, meant } = await prepare();
print({ limits: 'none: the domain function is asked, not the server', rounds: roundsPerQuestion });
const fresh = await searchInFreshProcess(archive, questions);
const peer = await openSearchPeer(join(archive.dataFolder, 'peer.sqlite'), searched);
// Once each before anything is timed: both sides answer from warm caches.
for (const question of questions) await askUs(question, searched);
try {
  const times = await timeBoth(questions, searched, peer);
  const [indexBytes, peerBytes, moments] = [await searched.indexBytes(), peer.bytes(), size.videos * size.moments];
  print({
    ...size,
    queries: questions.length,
    ...comparison(times),
    /** Moments a second: into PostgreSQL as an import brings them in, from there into the index, and both one after the other. */
    build: {
      databaseMomentsPerS: Math.round(moments / archive.fillSeconds),
      indexMomentsPerS: Math.round(moments / archive.indexSeconds),
      momentsPerS: Math.round(moments / (archive.fillSeconds + archive.indexSeconds)),
    },
    indexMB: Math.round(indexBytes / 1e6),
    peerMB: Math.round(peerBytes / 1e6),
    index: Math.round((indexBytes / peerBytes) * 1_000) / 1_000,
    fresh,
    memoryMB: fresh.memoryMB,
  });
  print({ meaning: await timeMeaning().catch((error: unknown) => ({ failed: errorMessageOf(error) })) });
  if (values.budget !== undefined && fresh.memoryMB > Number(values.budget)) {
    progress(`Searching holds ${fresh.memoryMB} MB, and ${values.budget} MB is what it may hold.`);
    process.exitCode = 1;
  }
} finally {
  peer.close();
  searched.close();
  await archive.close();
}

/** What is asked, of what archive. The lines that both are made of are let go: 150 MB, which every collection of garbage would go through. */
async function prepare() {
  const spoken = readSpokenLines(resolve(values.transcripts));
  progress(spoken.isReal ? `${spoken.lines.length} lines of real transcripts` : 'no transcripts found: made-up text');
  const archive = await openMadeArchive(size, { spoken, keep: values.keep, progress });
  const searched = openMeasuredArchive(archive);
  const lines = spoken.lines.slice(0, size.moments);
  const passagesPerFilm = Math.round((spokenPassagesOf(lines).length * size.moments) / lines.length);
  const asked = Array.from(
    { length: questionsOfMeaning },
    (_, n) => spoken.lines[Math.floor(((n + 0.5) / questionsOfMeaning) * spoken.lines.length)] ?? '',
  );
  return { archive, searched, questions: await makeQuestions(searched, spoken), meant: { passagesPerFilm, asked } };
}

async function askUs(question: Question, ourSide: MeasuredArchive): Promise<string[]> {
  return question.class === 'suggest' ? await ourSide.suggest(question.query) : await ourSide.search(question.query);
}

/** Asks each question of both sides in turn. The peer makes its answer by a reader of its own. */
async function timeBoth(asked: readonly Question[], ourSide: MeasuredArchive, peerSide: SearchPeer): Promise<TimedQuestion[]> {
  const timed: TimedQuestion[] = [];
  for (const question of asked) {
    const { query } = question;
    const plain = await ourSide.question(query);
    const [ours, theirs]: [number[], number[]] = [[], []];
    let [ourVideos, peerVideos]: [string[], string[]] = [[], []];
    peerSide.search(plain);
    for (let round = 0; round < roundsPerQuestion; round++) {
      const startedAt = performance.now();
      ourVideos = await askUs(question, ourSide);
      const betweenAt = performance.now();
      ours.push(betweenAt - startedAt);
      const [, second] = theirs;
      if (second !== undefined && second > peerPatienceMs) {
        theirs.push(second);
        continue;
      }
      peerVideos = peerSide.search(plain);
      await readPeerAnswer(archive.pool, plain, peerVideos);
      theirs.push(performance.now() - betweenAt);
    }
    timed.push({ ...question, ours, peer: theirs });
    if (values.show)
      print({ ...question, ours: ourVideos, peer: peerVideos, oursMs: percentile(ours, 0.5), peerMs: percentile(theirs, 0.5) });
  }
  return timed;
}

/**
 * What a question of meaning costs by itself, encoded and compared with every passage in a process of its own, as a server has it. To make
 * vectors of the whole archive would take hours, and to compare takes as long with signs that are drawn by lot: those stand in their place.
 */
async function timeMeaning(): Promise<object> {
  const { passagesPerFilm, asked } = meant;
  const isDrawn = !(await holdsMeaning(archive.pool));
  const encoder = openMeaningProcess({ address: archive.address, findsWithinMs: 60_000 });
  try {
    if (isDrawn) await drawSigns(encoder, passagesPerFilm);
    const find = (text: string) => encoder.find(text, { limit: ofMeaning.films, among: [] });
    await find(asked[0] ?? '');
    const times: number[] = [];
    for (const text of asked) {
      const startedAt = performance.now();
      await find(text);
      times.push(performance.now() - startedAt);
    }
    const [medianMs, p95Ms] = [0.5, 0.95].map((share) => Math.round(percentile(times, share) * 10) / 10);
    return { passages: size.videos * passagesPerFilm, areDrawn: isDrawn, questions: asked.length, medianMs, p95Ms };
  } finally {
    encoder.close();
    if (isDrawn) await removeDrawnSigns(archive);
  }
}

/** Signs of a title and so many passages for every film. */
async function drawSigns({ choice, signs }: MeaningProcess, passages: number): Promise<void> {
  const { length: signBytes } = await signs(['a line']);
  const { rows } = await archive.pool.query<{ id: string }>(sql`select id from videos order by id`);
  const filmsAtOnce = 500;
  for (let n = 0; n < rows.length; n += filmsAtOnce) {
    const ids = rows.slice(n, n + filmsAtOnce).map(({ id }) => id);
    const drawn = ids.map(() => randomBytes(signBytes * (1 + passages)));
    await archive.pool.query(sql`
      insert into film_meaning (video_id, revision, checksum, engine, signs, change)
      select id, 0, '', ${choice.engine}, signs, nextval('film_meaning_changes_made') from unnest(${ids}::text[], ${drawn}::bytea[]) as r (id, signs)`);
  }
}
