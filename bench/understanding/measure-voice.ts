import { findLayers } from '#domain/moments/layers.ts';
import type { TestIngest } from '#testing/test-ingest.ts';
import { realTimeFactor } from './real-time-factor.ts';
import type { SpokenClip } from './spoken-clips.ts';

/** How much of what is called speech lies within captions, and how much of the captions is called speech, both in seconds. */
export async function measureVoice(archive: TestIngest, clips: readonly SpokenClip[]): Promise<object> {
  let [heard, captioned, both] = [0, 0, 0];
  for (const { id, spoken } of clips) {
    const layer = (await findLayers(archive.context.pool, id)).find(({ name }) => name === 'voice');
    const stretches = layer?.name === 'voice' ? layer.stretchesMs.map(([start, end]) => ({ start: start / 1_000, end: end / 1_000 })) : [];
    heard += seconds(stretches);
    captioned += seconds(spoken);
    for (const { start, end } of stretches)
      for (const line of spoken) both += Math.max(0, Math.min(end, line.end) - Math.max(start, line.start));
  }
  return {
    step: 'vad',
    set: 'clips',
    films: clips.length,
    precision: rounded(both / Math.max(1e-9, heard)),
    recall: rounded(both / captioned),
    realTimeFactor: await realTimeFactor(
      archive,
      clips.map(({ id }) => id),
      'voice',
    ),
  };
}

function seconds(lines: readonly { start: number; end: number }[]): number {
  return lines.reduce((sum, { start, end }) => sum + end - start, 0);
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
