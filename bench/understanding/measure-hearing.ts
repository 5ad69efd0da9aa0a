import { sql } from '#domain/db/sql.ts';
import { findMoments } from '#domain/moments/find-moments.ts';
import { findLayers } from '#domain/moments/layers.ts';
import { runStepAgain } from '#domain/videos/steps.ts';
import { readIngestConfig } from '#ingest/config.ts';
import { findSpeechEngines, speechEngineFor } from '#ingest/speech/find-speech-engines.ts';
import type { SpeechSettings } from '#ingest/speech/speech-settings.ts';
import { speech } from '#ingest/steps/speech.ts';
import { voice } from '#ingest/steps/voice.ts';
import { steps } from '#ingest/steps.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { watchSteps } from '../process-memory.ts';
import { bringInSpokenClips, type SpokenClip, untilSettled } from './spoken-clips.ts';

/** What is found of who speaks and what they say in the shared clips with captions, by every recogniser at hand: a line for each; none where no clip's truth says what is spoken. */
export async function measureHearing(media: string): Promise<object[]> {
  const run = steps.filter((step) => step.class === 'playable' || step === voice || step === speech);
  const archive = await openTestIngest(undefined, { steps: run });
  try {
    using memory = watchSteps();
    const clips = await bringInSpokenClips(archive, media);
    if (clips.length === 0) return [];
    return [
      { ...(await measureVoice(archive, clips)), peakRssMB: memory.peakMB('voice') },
      ...(await measureSpeech(archive, clips, readIngestConfig().speech)),
    ];
  } finally {
    await archive.close();
  }
}

/** How much of what is called speech lies within captions, and how much of the captions is called speech, both in seconds. */
async function measureVoice(archive: TestIngest, clips: readonly SpokenClip[]): Promise<object> {
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
    recall: rounded(both / captioned),
    precision: rounded(both / Math.max(1e-9, heard)),
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

/** A line for each recogniser that the environment names or that is installed; one that says so where there is none. */
async function measureSpeech(archive: TestIngest, clips: readonly SpokenClip[], settings: SpeechSettings): Promise<object[]> {
  const none: SpeechSettings = { ...settings, whisperModel: undefined, service: undefined, allowsRough: false };
  const { whisperModel, service, allowsRough } = settings;
  const ways: SpeechSettings[] = [
    { ...none, whisperModel },
    { ...none, service },
    { ...none, allowsRough },
  ];
  const found: object[] = [];
  for (const way of ways) {
    const engine = speechEngineFor(await findSpeechEngines(way, archive.context.folder.models), 'en');
    if (!engine) continue;
    Object.assign(archive.context.speech, way);
    // Each engine by itself.
    using memory = watchSteps();
    const heard = await measureEngine(archive, clips);
    const peakRssMB = memory.peakMB('speech');
    found.push({ step: 'speech', engine: `${engine.engine.name} ${engine.engine.version}`, ...heard, peakRssMB });
  }
  return found.length > 0
    ? found
    : [{ step: 'speech', engine: null, wordErrorRate: null, skipped: 'There is no recogniser of speech here.' }];
}

async function measureEngine(archive: TestIngest, clips: readonly SpokenClip[]): Promise<object> {
  const { pool, queue } = archive.context;
  let [words, errors] = [0, 0];
  for (const { id, spoken } of clips) {
    await runStepAgain({ pool, queue }, { videoId: id, step: 'speech' });
    await untilSettled(archive, id, 'speech');
    const said = wordsOf(spoken.map(({ text }) => text));
    const heard = wordsOf((await findMoments(pool, id)).filter(({ kind }) => kind === 'Transcript').map(({ text }) => text));
    words += said.length;
    errors += changesBetween(said, heard);
  }
  const ids = clips.map(({ id }) => id);
  const wordErrorRate = Math.round((errors / words) * 1_000) / 1_000;
  return { set: 'clips', films: clips.length, words, wordErrorRate, realTimeFactor: await realTimeFactor(archive, ids, 'speech') };
}

function wordsOf(texts: readonly string[]): string[] {
  return (
    texts
      .join(' ')
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The fewest words that have to be put in, left out or replaced to make one text of the other. */
function changesBetween(said: readonly string[], heard: readonly string[]): number {
  let before = Array.from({ length: heard.length + 1 }, (_, n) => n);
  for (const [n, word] of said.entries()) {
    const row = [n + 1];
    for (const [k, other] of heard.entries())
      row.push(Math.min((row[k] ?? 0) + 1, (before[k + 1] ?? 0) + 1, (before[k] ?? 0) + (word === other ? 0 : 1)));
    before = row;
  }
  return before.at(-1) ?? 0;
}

/** Seconds of film for a second of the step, over all of these films. */
async function realTimeFactor({ context }: TestIngest, videoIds: readonly string[], step: string): Promise<number> {
  const { rows } = await context.pool.query<{ factor: number }>(sql`
    select sum(v.duration_seconds) / sum(extract(epoch from s.ended_at - s.started_at)::float8) as factor
      from ingest_steps s join videos v on v.id = s.video_id where s.video_id = any (${videoIds}::text[]) and s.step = ${step}`);
  return Math.round((rows[0]?.factor ?? 0) * 10) / 10;
}
