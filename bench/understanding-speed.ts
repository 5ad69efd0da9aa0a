import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '#domain/db/open-database.ts';
import { sql } from '#domain/db/sql.ts';
import { findFfmpeg } from '#testing/find-ffmpeg.ts';
import type { MeasuredArchive } from '#testing/measured-archive.ts';
import { runImport } from '#testing/run-import.ts';
import type { ServedArchive } from '#testing/served-archive.ts';
import { mediaFolder, sharedMedia } from '#testing/shared-media.ts';
import { until } from '#testing/until.ts';
import { loadWhile } from './http-load.ts';
import { warmUp } from './http-phases.ts';
import { percentile } from './percentile.ts';
import { watchMemory } from './process-memory.ts';
import { readSpokenLines } from './search-corpus.ts';
import { makeQuestions } from './search-questions.ts';
import { whileServed } from './serve-made-archive.ts';
import { joinFootage } from './understanding/joined-footage.ts';

/*
 * npm run -s bench:understanding has the worker of a served archive understand two films of 720 lines: one while nothing else happens, which
 * tells how many seconds of film each step takes in a second, and one while somebody searches and opens pages, which tells how much slower
 * that becomes. A line of JSON for each step, and one for what stands beside it. Only ratios are to be compared.
 */
const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '2000' },
    moments: { type: 'string', default: '600' },
    /** Of the phase in which nothing is understood. */
    seconds: { type: 'string', default: '30' },
    /** Seconds of film, at least. */
    film: { type: 'string', default: '240' },
    transcripts: { type: 'string', default: mediaFolder },
    keep: { type: 'string' },
  },
});
const media = sharedMedia();
if (!media || !findFfmpeg()) {
  process.stderr.write('This needs the shared footage, whose folder RUSHES_TEST_MEDIA names, and ffmpeg to join it.\n');
  process.exit(1);
}
const progress = (line: string) => void process.stderr.write(`${line}\n`);
const print = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);
const rounded = (value: number) => Math.round(value * 100) / 100;
const megabyte = 1_048_576;
const openEveryMs = 500;

const spoken = readSpokenLines(resolve(values.transcripts));
const size = { videos: Number(values.videos), moments: Number(values.moments) };
const learn = (searched: MeasuredArchive) => makeQuestions(searched, spoken);
await whileServed(size, { spoken, keep: values.keep, progress, learn }, async ({ archive, known, workFolder }) => {
  const questions = await warmUp(
    archive,
    known.filter(({ class: kind }) => kind !== 'suggest'),
  );
  const { pool, close } = await openDatabase({ dataFolder: archive.dataFolder });
  // The made films are there to be searched: what would be understood of them is no part of what is measured.
  await pool.query(sql`
    update ingest_steps set state = 'skipped', message = 'Left out of a measurement.', ended_at = now() where state in ('waiting', 'running')`);
  const filmSeconds = Number(values.film);
  const films = await Promise.all(
    // A second longer, or it would be the same film.
    [filmSeconds, filmSeconds + 1].map((atLeast, n) =>
      joinFootage(join(workFolder, `film-${n}.mp4`), { media, atLeast, lines: spoken.lines }),
    ),
  );
  const memory = watchMemory(archive.pid);
  const understand = async (path: string) => {
    const { exitCode, output } = await runImport([path], { RUSHES_DATA: archive.dataFolder });
    if (exitCode !== 0) throw new Error(`The import ended with ${exitCode}:\n${output}`);
    return await until(() => findUnderstood(pool), { withinMs: 3_600_000, everyMs: 500 });
  };
  const [alone = '', beside = ''] = films;
  await archive.untilIndexRests();
  await wait(5_000);
  const idleWorkerMB = memory.ofWorkers() / megabyte;
  progress('a film is understood while nothing else happens');
  for (const { step, seconds, tookSeconds } of await understand(alone)) print({ step, realTimeFactor: rounded(seconds / tookSeconds) });
  await archive.untilIndexRests();
  const { searchAddress, accessToken } = archive;
  const orders = { searchAddress, accessToken, questions, connections: 1 };
  const idle = await besides(archive, () => loadWhile(orders, () => wait(Number(values.seconds) * 1_000), progress));
  progress('another one while somebody searches and opens pages');
  const during = await besides(archive, () => loadWhile(orders, () => understand(beside), progress));
  print({
    searchP95Ms: rounded(during.result.p95Ms),
    searchP95Ratio: rounded(during.result.p95Ms / idle.result.p95Ms),
    firstByteP95Ms: rounded(during.firstByteP95Ms),
    firstByteRatio: rounded(during.firstByteP95Ms / idle.firstByteP95Ms),
    errors: idle.result.errors + during.result.errors,
    idleWorkerMB: Math.round(idleWorkerMB),
    childPeakMB: Math.round(memory.stop() / megabyte),
  });
  await close();
});

interface StepTime {
  readonly step: string;
  readonly seconds: number;
  readonly tookSeconds: number;
}

/** The steps that understood the newest film, once none of them waits or runs. */
async function findUnderstood(pool: Awaited<ReturnType<typeof openDatabase>>['pool']): Promise<StepTime[] | undefined> {
  const { rows } = await pool.query<StepTime & { state: string | null }>(sql`
    select s.name as step, i.state, v.duration_seconds as seconds,
           greatest(0.001, extract(epoch from i.ended_at - i.started_at)::float8) as "tookSeconds"
      from steps s
     cross join (select id, duration_seconds from videos where origin = 'file' order by created_at desc limit 1) v
      left join ingest_steps i on i.video_id = v.id and i.step = s.name
     where s.class = 'understood' order by s.position`);
  const isSettled = rows.length > 0 && rows.every(({ state }) => state === 'done' || state === 'skipped' || state === 'failed');
  return isSettled
    ? rows.filter(({ state }) => state === 'done').map(({ step, seconds, tookSeconds }) => ({ step, seconds, tookSeconds }))
    : undefined;
}

/** What a piece of work came to, and how long the first byte of the home page took meanwhile. */
async function besides<T>({ origin }: ServedArchive, work: () => Promise<T>): Promise<{ result: T; firstByteP95Ms: number }> {
  const times: number[] = [];
  const timer = setInterval(() => {
    const startedAt = performance.now();
    void fetch(origin).then(async (answer) => {
      times.push(performance.now() - startedAt);
      await answer.text();
    });
  }, openEveryMs);
  const result = await work().finally(() => clearInterval(timer));
  return { result, firstByteP95Ms: percentile(times, 0.95) };
}
