import { findMoments } from '#domain/videos/moments-of-video.ts';
import { runStepAgain } from '#domain/videos/steps.ts';
import { findSpeechEngines, speechEngineFor } from '#ingest/speech/find-speech-engines.ts';
import type { SpeechSettings } from '#ingest/speech/speech-settings.ts';
import type { TestIngest } from '#testing/test-ingest.ts';
import { realTimeFactor } from './real-time-factor.ts';
import { type SpokenClip, untilSettled } from './spoken-clips.ts';

/** A line for each recogniser that the environment names or that is installed; one that says so where there is none. */
export async function measureSpeech(archive: TestIngest, clips: readonly SpokenClip[], settings: SpeechSettings): Promise<object[]> {
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
    found.push({ step: 'speech', engine: `${engine.engine.name} ${engine.engine.version}`, ...(await measureEngine(archive, clips)) });
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
