import { join } from 'node:path';
import { z } from 'zod';
import { EngineUsed, toEngineUsed } from '../engines/engine.ts';
import { hearVoice, Stretch, sileroVoice } from '../engines/silero-voice.ts';
import { prepareOriginalInput } from '../original-input.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { probe } from './probe.ts';

const VoiceResult = EngineUsed.extend({
  /** Speech, in milliseconds, in order. */
  stretchesMs: z.array(Stretch),
});
type VoiceResult = z.infer<typeof VoiceResult>;

const pieceSeconds = 10 * 60;
/** To decode the sound of a film takes a small part of its length; a machine may be busy. */
const timeoutFactor = 1;
/** A breath does not end what somebody says. */
const shortestSilenceMs = 300;
const shortestSpeechMs = 250;

/** Finds where somebody speaks. */
export const voice: Step<VoiceResult> = {
  name: 'voice',
  version: 1,
  needs: [probe],
  optional: true,
  class: 'understood',
  share: 2,
  Result: VoiceResult,
  run: findVoice,
};

async function findVoice(context: StepContext): Promise<StepOutcome<VoiceResult>> {
  const { audio } = context.resultOf(probe).description;
  const heard = audio ? await hearTrack(context, audio.index) : [];
  const stretchesMs = joinNear(heard).filter(([start, end]) => end - start >= shortestSpeechMs);
  return { is: 'done', result: { stretchesMs, ...toEngineUsed(sileroVoice) }, layers: [{ name: 'voice', stretchesMs }] };
}

/** Piece by piece; a stretch that goes over a border comes as two. */
async function hearTrack(context: StepContext, stream: number): Promise<Stretch[]> {
  const { description, durationInSeconds } = context.resultOf(probe);
  const { startSeconds } = description;
  const path = join(context.workFolder, 'sound.pcm');
  const input = { ...(await prepareOriginalInput(context, { durationInSeconds, factor: timeoutFactor })), onSecond: undefined };
  const heard: Stretch[] = [];
  for (let fromSeconds = 0; fromSeconds < durationInSeconds; fromSeconds += pieceSeconds) {
    const lengthSeconds = Math.min(pieceSeconds, durationInSeconds - fromSeconds);
    const inPiece = await context.piece(`from ${fromSeconds}`, z.array(Stretch), async () => {
      await context.tools.drawSound(input, { stream, startSeconds, fromSeconds, lengthSeconds, path });
      return await hearVoice(context, { ...input, path, outputFolder: undefined });
    });
    const [offsetMs, endMs] = [fromSeconds * 1_000, Math.round((fromSeconds + lengthSeconds) * 1_000)];
    heard.push(...inPiece.map(([start, end]): Stretch => [start + offsetMs, Math.min(end + offsetMs, endMs)]));
    context.progress((fromSeconds + lengthSeconds) / durationInSeconds);
  }
  return heard;
}

/** Stretches with hardly a silence between them are one. */
function joinNear(stretches: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const [start, end] of stretches) {
    const before = joined.at(-1);
    if (before && start - before[1] < shortestSilenceMs) joined[joined.length - 1] = [before[0], end];
    else joined.push([start, end]);
  }
  return joined;
}
