import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import jpeg from 'jpeg-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { countFrames } from '#domain/files/frame-pack.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { canMakeMedia, makeMedia } from '#testing/media-clips.ts';
import { turnOfTests } from '#testing/seeded-random.ts';
import { sharedMedia } from '#testing/shared-media.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { turnsInAll } from '#testing/tests-in-turn.ts';
import { wantsWholeCorpus } from '#testing/whole-corpus.ts';

const media = sharedMedia();
const Record = z.object({
  file: z.string(),
  durationSeconds: z.number(),
  video: z.object({ codec: z.string(), width: z.number(), height: z.number(), rotation: z.number() }).nullable(),
  audio: z.object({}).nullable(),
  truth: z.object({ spoken: z.array(z.object({ text: z.string() })).optional() }),
});

/** Copied as they are; everything else has to be encoded, for its codec, its rotation, or key frames that lie too far apart. */
const playableAsTheyAre = new Set(['flower.mp4', 'his-girl-friday-hildy.mp4', 'jfk-inaugural-ask-not.mp4', 'smpte-bars-timecode.mp4']);
/**
 * Much encoding: `npm run -s report:footage` takes these whole, `npm test` so many seconds of their beginning, with every stream
 * as it is. Without ffmpeg there is nothing to cut them with, and they are skipped.
 */
const beginningsInSeconds: Readonly<Record<string, number>> = {
  'popeye-sindbad-1-pgs.mkv': 4,
  'popeye-sindbad-2-textsubs.mkv': 4,
  'big-buck-bunny-opening.webm': 6,
  'apollo15-feather-and-hammer.webm': 10,
  // Long enough to hold two key frames that lie too far apart.
  'apollo11-landing-revoiced-long.mp4': 40,
};

let archive: TestIngest;
beforeAll(async () => {
  archive = await openTestIngest();
});
afterAll(() => archive.close());

describe.skipIf(!media)('real footage (skipped without the shared media folder)', async () => {
  const lines = media ? (await readFile(join(media, 'videos-open.jsonl'), 'utf8')).trim().split('\n') : [];
  const all = lines.map((line) => Record.parse(JSON.parse(line)));
  // Encoding takes minutes: `npm test` takes every fifth of them, others every time that this file is in turn, and those that are damaged.
  const turn = Math.floor(turnOfTests / turnsInAll) % 5;
  const records = all.filter(({ file }, n) => wantsWholeCorpus || n % 5 === turn || basename(file).startsWith('corrupted'));

  test.for(records)('$file gets the right verdict', { timeout: 400_000 }, async (record, { skip }) => {
    const name = basename(record.file);
    skip(!wantsWholeCorpus && !canMakeMedia && name in beginningsInSeconds, 'needs ffmpeg to take its beginning');
    const { path, durationSeconds } = await footageOf(record);
    const video = await archive.ingest(path);
    if (name.startsWith('corrupted')) return expect(video).toMatchObject({ state: 'Failed', failureCode: 'unreadable_media' });
    expect(video.state).toBe('Processed');
    const { rows } = await archive.database.pool.query('select * from videos where id = $1', [video.id]);
    // The container counts a subtitle that outlasts the film.
    expect(rows[0].duration_seconds).toBeLessThan(durationSeconds + 0.5);
    expect(rows[0].duration_seconds).toBeGreaterThan(durationSeconds - 2.5);
    expect(rows[0]).toMatchObject({ has_video: record.video !== null, has_audio: record.audio !== null });
    expect(rows[0].streaming_preset).toBe(playableAsTheyAre.has(name) ? 'SingleBitrate' : 'AdaptiveBitrate');
    const { store } = archive.context;
    const keys = toVideoKeys(video.id);
    expect(String(await storedBytes(store, `${keys.hls}/master.m3u8`))).toContain(record.video ? 'avc1.' : 'mp4a.40.2');
    const poster = jpeg.decode(await storedBytes(store, keys.poster));
    if (!record.video) return expect(poster.width).toBe(640);
    const isTurned = record.video.rotation % 180 !== 0;
    expect(poster.height > poster.width).toBe(isTurned);
    // The sound or a caption may go on after the last picture.
    expect(await countFrames(store, keys.framePack)).toBeGreaterThanOrEqual(Math.floor(durationSeconds / 2) - 1);
  });
});

async function footageOf({ file, durationSeconds }: z.output<typeof Record>): Promise<{ path: string; durationSeconds: number }> {
  const whole = { path: join(media ?? '', file), durationSeconds };
  const beginning = beginningsInSeconds[basename(file)];
  if (wantsWholeCorpus || !beginning) return whole;
  const path = join(archive.scratch, basename(file));
  await makeMedia(['-i', whole.path, '-map', '0', '-c', 'copy', '-t', String(beginning), path]);
  return { path, durationSeconds: beginning };
}
