import { readIngestConfig } from '#ingest/config.ts';
import { speech } from '#ingest/steps/speech.ts';
import { voice } from '#ingest/steps/voice.ts';
import { steps } from '#ingest/steps.ts';
import { openTestIngest } from '#testing/test-ingest.ts';
import { measureSpeech } from './measure-speech.ts';
import { measureVoice } from './measure-voice.ts';
import { bringInSpokenClips } from './spoken-clips.ts';

/** What is found of who speaks and what they say in the shared clips with captions, by every recogniser at hand: a line for each. */
export async function measureHearing(media: string): Promise<object[]> {
  const run = steps.filter((step) => step.class === 'playable' || step === voice || step === speech);
  const archive = await openTestIngest(undefined, { steps: run });
  try {
    const clips = await bringInSpokenClips(archive, media);
    return [await measureVoice(archive, clips), ...(await measureSpeech(archive, clips, readIngestConfig().speech))];
  } finally {
    await archive.close();
  }
}
