import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { findMoments } from '#domain/moments/find-moments.ts';
import { correctLines } from '#domain/videos/corrections/correct-lines.ts';
import { listCorrections } from '#domain/videos/corrections/undo-correction.ts';
import { choosePoster } from '#domain/videos/desk/poster.ts';
import { findVideos } from '#domain/videos/find-videos.ts';
import { findFootage } from '#domain/videos/footage.ts';
import { cancelStepOf, listSteps, skipStepOf } from '#domain/videos/steps.ts';
import { canMakeMedia, makeClip } from '#testing/media-clips.ts';
import { replaceOriginal } from '#testing/replace-original.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { untilQuiet } from '#testing/until-quiet.ts';
import type { Step, StepContext, StepOutcome } from './step.ts';
import { poster } from './steps/stills.ts';
import { steps } from './steps.ts';

type Outcome = StepOutcome<{ lines: number }>;
const line = { kind: 'Transcript', startMs: 500, endMs: 900, text: 'the old reel', source: 'machine', confidencePercent: 80 } as const;
const hears = async ({ store, video }: StepContext): Promise<Outcome> => {
  await store.put(video.keys.heardCaptions, Buffer.from('WEBVTT'));
  return { is: 'done', result: { lines: 1 }, layers: [{ name: 'captions', moments: [line] }] };
};
const lacksRecogniser = (): Promise<Outcome> => Promise.resolve({ is: 'skipped', reason: 'No recogniser.', lacksEngine: true });
let hear: (context: StepContext) => Promise<Outcome> = hears;
const speech: Step<{ lines: number }> = {
  name: 'speech',
  version: 1,
  needs: [],
  optional: true,
  class: 'understood',
  share: 50,
  Result: z.object({ lines: z.number() }),
  run: (context) => hear(context),
};

let archive: TestIngest;
let id: string;
beforeAll(async () => {
  if (!canMakeMedia) return;
  archive = await openTestIngest(undefined, { steps: [...steps.filter((step) => step.class === 'playable'), poster, speech] });
  const film = join(archive.scratch, 'film.mp4');
  await makeClip(film);
  await writeFile(
    film.replace('.mp4', '.json'),
    JSON.stringify({
      people: [
        { name: 'Ada Reel', at: [2.5] },
        { name: 'Bo Reel', at: [0.5] },
      ],
    }),
  );
  ({ id } = await archive.ingest(film));
  await untilQuiet(archive.context.pool);
}, 120_000);
afterAll(() => archive?.close());

let files = 0;
/** Gives the film another file of one second. */
async function replace(): Promise<void> {
  const other = join(archive.scratch, `other-${files++}.mp4`);
  await makeClip(other, ['-t', '1', '-metadata', `title=Another ${files}`]);
  await replaceOriginal(archive.context, { videoId: id, path: other });
}
const stepOf = async (name: string) => (await listSteps(archive.context.pool, id)).find((step) => step.name === name);
const said = async () => (await findMoments(archive.context.pool, id)).flatMap(({ kind, text }) => (kind === 'Transcript' ? [text] : []));

test.skipIf(!canMakeMedia)(
  'a shorter file in the place of a film’s leaves neither its poster nor anybody behind its end, and tells which choice fits no more',
  { timeout: 120_000 },
  async () => {
    const { pool } = archive.context;
    await pool.query(`insert into users (id, name) values ('ann', 'Ann')`);
    await choosePoster(archive.context, { videoId: id, atMs: 2_000, actorUid: 'ann', from: '' });
    const video = async () => (await findVideos(pool, [id]))[0];
    await until(async () => (await video())?.posterMs === 2_000, { withinMs: 60_000 });
    const seen = async () => (await findMoments(pool, id)).flatMap(({ kind, text }) => (kind === 'Face' ? [text] : []));
    const before = await video();
    expect(await seen()).toEqual(['Bo Reel', 'Ada Reel']);
    await replace();
    await untilQuiet(pool);
    const after = await video();
    // The new file is called otherwise.
    expect(after?.name).toBe(before?.name);
    expect([after?.posterMs, (await stepOf('poster'))?.state, await seen()]).toEqual([null, 'skipped', ['Bo Reel']]);
    expect(await listCorrections(pool, id)).toMatchObject([{ kind: 'Poster', state: 'unfitting' }]);
    expect(after?.picturesVersion).toBeGreaterThan(before?.picturesVersion ?? 0);
  },
);

test.skipIf(!canMakeMedia)(
  'a film that plays has its file back when one came in its place that cannot be read, and every step is done with it',
  { timeout: 120_000 },
  async () => {
    const { pool, store } = archive.context;
    const { original } = toVideoKeys(id);
    const [before, bytes] = [await findFootage(pool, id), await storedBytes(store, original)];
    const junk = join(archive.scratch, 'junk.mp4');
    await writeFile(junk, 'this is no film');
    await replaceOriginal(archive.context, { videoId: id, path: junk });
    await untilQuiet(pool);
    expect(await findFootage(pool, id)).toMatchObject({ state: 'Processed', contentHash: before?.contentHash, fileName: before?.fileName });
    expect((await storedBytes(store, original)).equals(bytes)).toBe(true);
    expect([(await stepOf('probe'))?.state, (await stepOf('renditions'))?.state]).toEqual(['done', 'done']);
    const taken = (await store.trash.list(id)).filter(({ key }) => key === original);
    expect(taken.at(-1)?.reason).toMatch(/^“other\.mp4” could not replace the file: /);
    const told = `select before, detail, actor_uid as by from audit where video_id = $1 and action = 'film-replaced' order by id desc limit 1`;
    expect((await pool.query(told, [id])).rows).toEqual([{ before: 'other.mp4', detail: before?.fileName, by: null }]);
  },
);

test.skipIf(!canMakeMedia)(
  'what was heard in the old file of a film goes when nothing can hear the new one, and lines of editors stay',
  { timeout: 120_000 },
  async () => {
    const { pool, store } = archive.context;
    expect([await said(), await store.stat(toVideoKeys(id).heardCaptions)]).toEqual([['the old reel'], expect.anything()]);
    const added = { startMs: 100, endMs: 400, text: 'told by Ann', speaker: null };
    await correctLines(pool, { videoId: id, changes: [{ replaces: [], lines: [added] }], actorUid: 'ann', from: '' });
    hear = lacksRecogniser;
    await replace();
    await untilQuiet(pool);
    expect([await said(), await store.stat(toVideoKeys(id).heardCaptions)]).toEqual([['told by Ann'], null]);
  },
);

test.skipIf(!canMakeMedia)(
  'a step that an editor leaves out or cancels after a film got another file is not done',
  { timeout: 120_000 },
  async () => {
    const { pool } = archive.context;
    const [begun, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    hear = async (context) => {
      begun.resolve();
      await mayGoOn.promise;
      return await hears(context);
    };
    await replace();
    await begun.promise;
    await pool.query(`update ingest_steps set state = 'running', result = null where video_id = $1 and step = 'renditions'`, [id]);
    await cancelStepOf(archive.context, { videoId: id, step: 'renditions' });
    await cancelStepOf(archive.context, { videoId: id, step: 'speech' });
    mayGoOn.resolve();
    await untilQuiet(pool);
    expect([(await stepOf('renditions'))?.state, (await stepOf('speech'))?.state]).toEqual(['failed', 'skipped']);
    expect([(await findFootage(pool, id))?.state, await said()]).toEqual(['Processed', ['told by Ann']]);
    await pool.query(`update ingest_steps set state = 'failed' where video_id = $1 and step = 'speech'`, [id]);
    await skipStepOf(archive.context, { videoId: id, step: 'speech' });
    expect((await stepOf('speech'))?.state).toBe('skipped');
  },
);
