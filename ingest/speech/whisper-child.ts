import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Frame, Log } from 'node-av';
import { FilterAPI } from 'node-av/api';
import { AV_CHANNEL_LAYOUT_MONO, AV_LOG_ERROR, AV_SAMPLE_FMT_S16 } from 'node-av/constants';
import { z } from 'zod';
import { parseJson } from '#domain/system/parse-json.ts';
import type { Stretch } from '../engines/silero-voice.ts';
import { samplesPerSecond } from '../media/media-plans.ts';
import { doChildJob } from '../tools/child-job.ts';
import { readStretch } from './chunk-sound.ts';
import { WhisperJob, type WhisperWords } from './whisper-engine.ts';

const bytesPerSample = 2;
const frameSamples = samplesPerSecond;
/** Longer than any chunk, so that one is heard as a whole. */
const queueSeconds = 30;
/** Words are lines of one letter at most: whisper.cpp ends a line at the end of a word. */
const wordForWord = 1;

const Word = z.object({ start: z.number(), end: z.number(), text: z.string() });
type Job = z.infer<typeof WhisperJob>;

/*
 * A process that writes down what is said in chunks of one file of sound, by the Whisper of node-av's FFmpeg, and ends.
 */
Log.setLevel(AV_LOG_ERROR);
await doChildJob(WhisperJob, async (job, tellSecond) => {
  const words: z.infer<typeof WhisperWords> = [];
  for (const [startMs, endMs] of job.chunks) {
    words.push(...(await hear(job, await readStretch(job.path, [startMs, endMs]), [startMs, endMs])));
    tellSecond(endMs / 1_000);
  }
  return words;
});

async function hear(job: Job, samples: Buffer, [startMs, endMs]: Stretch): Promise<z.infer<typeof WhisperWords>> {
  const heard = join(job.workFolder, `heard-${startMs}.json`);
  const options = {
    model: job.model,
    language: job.language,
    queue: queueSeconds,
    use_gpu: 0,
    max_len: wordForWord,
    destination: heard,
    format: 'json',
  };
  const settings = Object.entries(options).map(([name, value]) => `${name}=${escapeValue(String(value))}`);
  using filter = FilterAPI.create(`whisper=${settings.join(':')}`, { threads: job.threads });
  for (let at = 0; at < samples.length; at += frameSamples * bytesPerSample) {
    const part = samples.subarray(at, at + frameSamples * bytesPerSample);
    using frame = frameOf(part, at / bytesPerSample);
    for (const done of await filter.processAll(frame)) done.free();
  }
  for (const done of await filter.processAll(null)) done.free();
  const lines = (await readFile(heard, 'utf8')).split('\n').filter((line) => line !== '');
  await rm(heard);
  return lines
    .map((line) => Word.parse(parseJson(line)))
    .filter(({ text }) => text.trim() !== '')
    .map(({ start, end, text }) => ({ text, start: (startMs + start) / 1_000, end: Math.min(endMs, startMs + end) / 1_000 }));
}

function frameOf(part: Buffer, at: number): Frame {
  const frame = Frame.fromAudioBuffer(part, {
    nbSamples: part.length / bytesPerSample,
    format: AV_SAMPLE_FMT_S16,
    sampleRate: samplesPerSecond,
    channelLayout: AV_CHANNEL_LAYOUT_MONO,
    timeBase: { num: 1, den: samplesPerSecond },
  });
  frame.pts = BigInt(at);
  return frame;
}

/** A value of an option, which is read twice: as one of its filter's, and as part of the graph. */
function escapeValue(value: string): string {
  return value.replace(/[\\':]/g, '\\$&').replace(/[\\'[\],;]/g, '\\$&');
}
