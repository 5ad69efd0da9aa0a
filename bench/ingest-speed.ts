import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { toVideoKeys, type VideoKeys } from '#domain/files/video-keys.ts';
import { largerRenditionsStep } from '#domain/videos/record-step.ts';
import { steps } from '#ingest/steps.ts';
import { findFfmpeg } from '#testing/find-ffmpeg.ts';
import { sharedMedia } from '#testing/shared-media.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { type Making, makeBare, noteMakings } from './ingest/bare-ffmpeg.ts';
import { loopClips } from './ingest/looped-clips.ts';
import { measureUpload } from './ingest/upload-speed.ts';
import { familyProcessorMs } from './processor-time.ts';

/*
 * npm run -s bench:ingest -- FILE… makes each film playable, and then makes the same pictures and renditions of it by ffmpeg alone: a line of
 * JSON for each. What an hour of such a film costs stands beside that: core-seconds of each step, those that understand it among them, and
 * gigabytes that are stored and served. Without files the shared clips are looped to ten minutes. Then a file is uploaded over loopback,
 * beside a copy by hand.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Of the films that are made where none are given. */
    seconds: { type: 'string', default: '600' },
    /** Of the file that is uploaded. */
    'upload-mb': { type: 'string', default: '1000' },
  },
});
const media = sharedMedia();
if (!findFfmpeg() || (positionals.length === 0 && !media)) {
  process.stderr.write('This needs ffmpeg, and films or the shared footage, whose folder RUSHES_TEST_MEDIA names.\n');
  process.exit(1);
}
const print = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);
const rounded = (value: number) => Math.round(value * 100) / 100;
const folder = mkdtempSync(join(tmpdir(), 'rushes-bench-ingest-'));
const Times = z.array(z.object({ step: z.string(), seconds: z.number() }));
try {
  const films =
    positionals.length > 0
      ? positionals.map((path) => resolve(path))
      : loopClips(folder, { media: media ?? '', seconds: Number(values.seconds) });
  for await (const film of films) print({ file: basename(film), ...(await measureFilm(film)) });
  print({ upload: true, ...(await measureUpload(folder, Number(values['upload-mb']) * 1_000_000)) });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** How long a film took until it could be watched, in all and in the steps that work on its picture, and how long ffmpeg alone takes for them. */
async function measureFilm(film: string) {
  const makings: Making[] = [];
  const coreSeconds = new Map<string, number>();
  const archive = await openTestIngest(undefined, {
    tools: (tools) => noteMakings(tools, makings),
    // One step at a time, and nothing else goes on: what this process and those that it started work meanwhile is the step's.
    steps: steps.map((step) => ({
      ...step,
      run: async (context) => {
        const before = familyProcessorMs(process.pid);
        const outcome = await step.run(context);
        coreSeconds.set(step.name, (familyProcessorMs(process.pid) - before) / 1_000);
        return outcome;
      },
    })),
  });
  try {
    const startedAt = performance.now();
    const { id, state, failureMessage } = await archive.ingest(film);
    const playableSeconds = (performance.now() - startedAt) / 1_000;
    if (state !== 'Processed') throw new Error(`${film}: ${failureMessage}`);
    const { pool } = archive.context;
    await untilUnderstood(archive, id);
    const ran = await pool.query(
      `select step, extract(epoch from ended_at - started_at)::float8 as seconds from ingest_steps
        where video_id = $1 and step = any ($2)`,
      [id, ['probe', 'stills', 'renditions', largerRenditionsStep]],
    );
    const times = Times.parse(ran.rows);
    const { rows } = await pool.query('select duration_seconds as seconds, streaming_preset as preset from videos where id = $1', [id]);
    const [{ seconds, preset }] = z.tuple([z.object({ seconds: z.number(), preset: z.string() })]).parse(rows);
    const bareSeconds = await makeBare(film, makings, join(archive.scratch, 'bare'));
    const ourSeconds = times.reduce((sum, one) => sum + one.seconds, 0);
    return {
      filmSeconds: rounded(seconds),
      copied: preset === 'SingleBitrate',
      ...Object.fromEntries(times.map((one) => [`${one.step}Seconds`, rounded(one.seconds)])),
      ourSeconds: rounded(ourSeconds),
      bareSeconds: rounded(bareSeconds),
      ratio: rounded(ourSeconds / bareSeconds),
      playableSeconds: rounded(playableSeconds),
      playableBarSeconds: rounded(2 + seconds * 0.02),
      coreSecondsPerHour: Object.fromEntries([...coreSeconds].map(([step, one]) => [step, rounded((one * 3_600) / seconds)])),
      ...(await bytesPerHour(archive, { id, seconds })),
    };
  } finally {
    await archive.close();
  }
}

/** Until everything is done with a film that can be done here: what runs beside ffmpeg alone would slow it down. */
async function untilUnderstood({ context: { pool } }: TestIngest, id: string): Promise<void> {
  const isThrough = async () => {
    const { rowCount } = await pool.query(`select from ingest_steps where video_id = $1 and state in ('waiting', 'running')`, [id]);
    return rowCount === 0;
  };
  await until(isThrough, { withinMs: 3_600_000, everyMs: 500 });
}

/** Gigabytes that an hour of a film takes in the store, and those of each of its renditions, which leave for each hour that is watched. */
async function bytesPerHour({ context: { store } }: TestIngest, { id, seconds }: { id: string; seconds: number }) {
  const keys = toVideoKeys(id);
  const stored: Record<string, number> = {};
  const served: Record<string, number> = {};
  for await (const { key, sizeBytes } of store.list(keys.all)) {
    const gigabytes = (sizeBytes * 3_600) / seconds / 1e9;
    const kind = kindOf(key, keys);
    stored[kind] = (stored[kind] ?? 0) + gigabytes;
    const [rendition = '', ...file] = kind === 'renditions' ? key.slice(keys.hls.length + 1).split('/') : [];
    if (file.length > 0) served[rendition] = (served[rendition] ?? 0) + gigabytes;
  }
  return { storedGBPerHour: roundedEach(stored), servedGBPerHour: roundedEach(served) };
}

function kindOf(key: string, { original, hls }: VideoKeys): 'original' | 'renditions' | 'stills' {
  if (key === original) return 'original';
  return key.startsWith(`${hls}/`) ? 'renditions' : 'stills';
}

function roundedEach(gigabytes: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(gigabytes).map(([name, one]) => [name, Math.round(one * 1_000) / 1_000]));
}
