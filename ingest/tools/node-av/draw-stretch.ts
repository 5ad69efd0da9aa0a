import { open } from 'node:fs/promises';
import { FFmpegError, type Frame } from 'node-av';
import { FilterAPI } from 'node-av/api';
import { AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import { type PicturesPlan, picturesFilter, type SoundPlan, soundFilter } from '../../media/media-plans.ts';
import { decodeFrames, secondOf } from './decode-frames.ts';
import { openInput } from './open-input.ts';
import { pictureChain } from './picture-chain.ts';

/** A stretch of the film as raw colour pictures, one behind the other. */
export async function drawPictures(path: string, plan: PicturesPlan): Promise<void> {
  const startSeconds = plan.startSeconds + plan.fromSeconds;
  using chain = pictureChain({ startSeconds, rotation: plan.rotation }, [picturesFilter(plan)]);
  await drawStretch(path, plan, chain);
}

/** A stretch of the sound, as recognisers want it. */
export async function drawSound(path: string, plan: SoundPlan): Promise<void> {
  const filters = [`asetpts=PTS-${plan.startSeconds + plan.fromSeconds}/TB`, 'atrim=start=0', soundFilter(plan)];
  using chain = FilterAPI.create(filters.join(','), { threads: 1 });
  await drawStretch(path, plan, chain);
}

async function drawStretch(path: string, plan: PicturesPlan | SoundPlan, chain: FilterAPI): Promise<void> {
  await using input = await openInput(path);
  await using file = await open(plan.path, 'w');
  const write = async (frames: readonly Frame[]) => {
    for (const frame of frames) {
      await file.write(frame.toBuffer());
      frame.free();
    }
  };
  if (plan.fromSeconds > 0) await input.seek(plan.startSeconds + plan.fromSeconds, -1, AVSEEK_FLAG_BACKWARD);
  for await (using frame of decodeFrames(input, plan.stream, { brokenPackets: 0 })) {
    if (secondOf(frame) - plan.startSeconds >= plan.fromSeconds + plan.lengthSeconds) break;
    try {
      await write(await chain.processAll(frame));
    } catch (error) {
      // The filters end their stretch as soon as they know that its last picture is out, which may be before its end.
      if (error instanceof FFmpegError && error.isEOF) break;
      throw error;
    }
  }
  await write(await chain.processAll(null));
}
