import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { findFfmpeg } from '#testing/find-ffmpeg.ts';
import { sharedMedia } from '#testing/shared-media.ts';
import { openTestIngest } from '#testing/test-ingest.ts';
import { type Making, makeBare, noteMakings } from './ingest/bare-ffmpeg.ts';
import { loopClips } from './ingest/looped-clips.ts';
import { measureUpload } from './ingest/upload-speed.ts';

/*
 * npm run -s bench:ingest -- FILE… makes each film playable, and then makes the same pictures and renditions of it by ffmpeg alone: a line of
 * JSON for each. Without files the shared clips are looped to ten minutes. Then a file is uploaded over loopback, beside a copy by hand.
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
  const archive = await openTestIngest(undefined, { tools: (tools) => noteMakings(tools, makings) });
  try {
    const startedAt = performance.now();
    const { id, state, failureMessage } = await archive.ingest(film);
    const playableSeconds = (performance.now() - startedAt) / 1_000;
    if (state !== 'Processed') throw new Error(`${film}: ${failureMessage}`);
    const { pool } = archive.context;
    const steps = await pool.query(
      `select step, extract(epoch from ended_at - started_at)::float8 as seconds from ingest_steps
        where video_id = $1 and step in ('probe', 'stills', 'renditions')`,
      [id],
    );
    const times = Times.parse(steps.rows);
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
    };
  } finally {
    await archive.close();
  }
}
