import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findLayers } from '#domain/moments/layers.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import { canMakeMedia, makeMedia } from '#testing/media-clips.ts';
import { openTestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { steps } from '../steps.ts';
import { voice } from './voice.ts';

const sample = join(import.meta.dirname, '..', '..', 'samples', 'Evening express (1969).mp4');
const playableAndVoice = steps.filter((step) => step.class === 'playable' || step === voice);

/** Two seconds of silence, three of a tone, the first twelve of a sample in which somebody speaks, and two of silence. */
async function makeFilm(path: string): Promise<void> {
  const sound = (text: string) => ['-f', 'lavfi', '-i', text];
  const inputs = [...sound('anullsrc=d=2:r=16000'), ...sound('sine=f=440:d=3:r=16000'), '-t', '12', '-i', sample];
  const same = 'aresample=16000,aformat=channel_layouts=mono';
  const graph = `[0]${same}[a];[1]${same}[b];[2:a]${same}[c];[3]${same}[d];[a][b][c][d]concat=n=4:v=0:a=1[s]`;
  await makeMedia([...inputs, ...sound('anullsrc=d=2:r=16000'), '-filter_complex', graph, '-map', '[s]', '-c:a', 'aac', path]);
}

// Where its captions say that somebody speaks.
const spokenMs = [
  [6_230, 10_350],
  [11_630, 14_720],
] as const;

test.skipIf(!canMakeMedia)('speech is told from silence and from a tone', { timeout: 120_000 }, async () => {
  const archive = await openTestIngest(undefined, { steps: playableAndVoice });
  const { pool } = archive.context;
  const film = join(archive.scratch, 'film.m4a');
  await makeFilm(film);
  const { id } = await archive.ingest(film);
  await until(async () => (await findSteps(pool, id)).some(({ step, state }) => step === 'voice' && state === 'done'), {
    withinMs: 60_000,
  });
  const layer = (await findLayers(pool, id)).find(({ name }) => name === 'voice');
  const heardMs = layer?.name === 'voice' ? layer.stretchesMs : [];
  await archive.close();
  expect(heardMs[0]?.[0]).toBeGreaterThan(5_500);
  expect(heardMs.at(-1)?.[1]).toBeLessThan(17_300);
  for (const [start, end] of spokenMs) {
    const within = heardMs.map(([from, to]) => Math.max(0, Math.min(to, end) - Math.max(from, start)));
    expect(within.reduce((sum, ms) => sum + ms, 0) / (end - start)).toBeGreaterThan(0.7);
  }
});
