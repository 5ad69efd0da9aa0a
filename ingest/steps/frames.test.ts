import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFrame } from '#domain/files/frame-pack.ts';
import { readStored } from '#domain/files/read-stored.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import { canMakeMedia, makeMedia } from '#testing/media-clips.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { steps } from '../steps.ts';

/** A film that plays as it is, with a key frame at its beginning and none in the ten seconds behind it. */
const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=9', '-f', 'lavfi', '-i', 'sine=d=9'];
const coding = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '250', '-sc_threshold', '0', '-c:a', 'aac'];
/** One packet that is no key frame. */
const damage = ['-c', 'copy', '-bsf:v', 'noise=amount=if(eq(n\\,100)\\,5\\,0)'];
const playable = steps.filter((step) => step.class === 'playable');
const tools = [
  ['ffmpeg', undefined],
  ['node-av', { ffmpegPath: undefined, searchPath: '' }],
] as const;

/** A small frame of a film, by its number. */
async function frameOf({ context }: TestIngest, id: string, n: number): Promise<string> {
  return (await readFrame(context.store, toVideoKeys(id).framePack, n))?.toString('base64') ?? 'none';
}

const stepOf = async ({ context }: TestIngest, id: string) => (await findSteps(context.pool, id)).find(({ step }) => step === 'frames');

async function afterFrames(archive: TestIngest, id: string) {
  return await until(
    async () => {
      const step = await stepOf(archive, id);
      return step && ['done', 'skipped', 'failed'].includes(step.state) && step;
    },
    { withinMs: 60_000 },
  );
}

test.skipIf(!canMakeMedia).each(tools)(
  'a film that plays as it is waits for its key frames alone, and gets all its frames later, by %s',
  {
    timeout: 120_000,
  },
  async (tool, where) => {
    const archive = await openTestIngest(where, { steps: playable });
    const beside = await openTestIngest(where, { steps: [...playable, ...steps.filter(({ name }) => name === 'frames')] });
    try {
      const film = join(archive.scratch, 'film.mp4');
      await makeMedia([...inputs, ...coding, film]);
      const quick = await archive.ingest(film);
      expect(quick.state).toBe('Processed');
      expect(await frameOf(archive, quick.id, 0)).not.toBe('none');
      expect((await frameOf(archive, quick.id, 2)) === 'none').toBe(tool === 'node-av');
      const whole = await beside.ingest(film);
      expect((await afterFrames(beside, whole.id)).state).toBe(tool === 'node-av' ? 'done' : 'skipped');
      const drawn = await Promise.all([0, 1, 2, 3, 4].map((n) => frameOf(beside, whole.id, n)));
      expect(new Set(drawn).size).toBe(5);
      expect(drawn).not.toContain('none');
    } finally {
      await archive.close();
      await beside.close();
    }
  },
);

test.skipIf(!canMakeMedia).each(tools)(
  'a film that is damaged between its key frames is encoded, at once or as soon as that is met, by %s',
  { timeout: 120_000 },
  async (tool, where) => {
    const archive = await openTestIngest(where, { steps: [...playable, ...steps.filter(({ name }) => name === 'frames')] });
    try {
      const [whole, film] = [join(archive.scratch, 'whole.mp4'), join(archive.scratch, 'damaged.mp4')];
      await makeMedia([...inputs, ...coding, whole]);
      await makeMedia(['-i', whole, ...damage, film]);
      const { id, state } = await archive.ingest(film);
      expect(state).toBe('Processed');
      const step = await afterFrames(archive, id);
      // The programs complain of what they pass over; the library is not given it.
      if (tool === 'node-av') expect([step.state, step.message]).toEqual(['done', expect.stringContaining('encoded again')]);
      const { rows } = await archive.context.pool.query('select state, streaming_preset as preset from videos where id = $1', [id]);
      expect(rows).toEqual([{ state: 'Processed', preset: 'AdaptiveBitrate' }]);
      const segments = await readStored(archive.context.store, `${toVideoKeys(id).hls}/180p/index.m3u8`);
      expect(String(segments)).toContain('#EXT-X-ENDLIST');
    } finally {
      await archive.close();
    }
  },
);
