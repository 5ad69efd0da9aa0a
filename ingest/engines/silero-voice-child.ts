import { readFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { samplesPerSecond } from '../media/media-plans.ts';
import { doChildJob } from '../tools/child-job.ts';
import { type Stretch, VoiceJob } from './silero-voice.ts';

/** What the model hears at once, and how much of what came before it wants to hear again. */
const windowSamples = 512;
const contextSamples = 64;
const windowMs = (windowSamples / samplesPerSecond) * 1_000;
/** Parts of the sound that are heard side by side: eight take hardly longer than one. */
const parts = 8;
/** All but the first begin so much earlier, to find into the sound: a second. */
const warmUpWindows = 32;

/** Speech begins with the first number and ends with the second, as Silero's own reader has it. */
const beginsAt = 0.5;
const endsBelow = 0.35;

/*
 * A process that tells where somebody speaks in one file of sound, and ends.
 */
await doChildJob(VoiceJob, async ({ path, model }) => {
  const session = await InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  return stretchesOf(await estimateSpeech(session, samplesOf(await readFile(path))));
});

/** How likely it is that somebody speaks, window by window. */
async function estimateSpeech(session: InferenceSession, samples: Float32Array): Promise<Float32Array> {
  const windows = Math.ceil(samples.length / windowSamples);
  const perPart = Math.ceil(windows / parts);
  const found = new Float32Array(windows);
  const heard = new Float32Array(parts * (contextSamples + windowSamples));
  const rate = new Tensor('int64', BigInt64Array.from([BigInt(samplesPerSecond)]));
  let state = new Tensor('float32', new Float32Array(2 * parts * 128), [2, parts, 128]);
  for (let n = -warmUpWindows; n < perPart; n++) {
    for (let part = 0; part < parts; part++) {
      const from = (part * perPart + n) * windowSamples;
      const place = part * (contextSamples + windowSamples);
      for (let k = 0; k < contextSamples + windowSamples; k++) heard[place + k] = samples[from - contextSamples + k] ?? 0;
    }
    const input = new Tensor('float32', heard, [parts, contextSamples + windowSamples]);
    const { output, stateN } = await session.run({ input, state, sr: rate });
    if (!output || !stateN) throw new Error('the model does not answer as Silero VAD does');
    state = stateN as typeof state;
    if (n < 0) continue;
    for (let part = 0; part < parts; part++) {
      const window = part * perPart + n;
      if (window < windows) found[window] = Number(output.data[part]);
    }
  }
  return found;
}

function stretchesOf(likely: Float32Array): Stretch[] {
  const stretches: Stretch[] = [];
  let since: number | undefined;
  const endAt = (window: number) => {
    if (since !== undefined) stretches.push([Math.round(since * windowMs), Math.round(window * windowMs)]);
    since = undefined;
  };
  for (const [window, share] of likely.entries()) {
    if (share >= beginsAt) since ??= window;
    else if (share < endsBelow) endAt(window);
  }
  endAt(likely.length);
  return stretches;
}

function samplesOf(bytes: Buffer): Float32Array {
  // Numbers of two bytes, the lower one first, as every processor has them that the engine runs on.
  const numbers = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
  const samples = new Float32Array(numbers.length);
  for (let n = 0; n < samples.length; n++) samples[n] = (numbers[n] ?? 0) / 32_768;
  return samples;
}
