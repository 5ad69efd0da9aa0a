import { Log } from 'node-av';
import { AV_LOG_ERROR } from 'node-av/constants';
import { errorMessage } from '#domain/db/error-message.ts';
import { StepFailure } from '../step-failure.ts';
import { doChildJob, type JobRefusal } from './child-job.ts';
import { describeMedia, extractSubtitles, scanPackets } from './node-av/describe-media.ts';
import { drawGrey, drawPictures, drawPoster, drawSound, drawStills } from './node-av/draw-pictures.ts';
import { copyRendition, encodeRenditions } from './node-av/renditions.ts';
import { NodeAvJob } from './node-av-job.ts';

/*
 * A process that does one job with the FFmpeg of node-av and ends. The job is its argument; it prints lines of JSON:
 * the seconds it has reached, then what came out.
 */
Log.setLevel(AV_LOG_ERROR);
await doChildJob(NodeAvJob, run, refusalOf);

function refusalOf(error: unknown, job: NodeAvJob): JobRefusal | undefined {
  if (error instanceof StepFailure && error.kind.is === 'bad-media') return { refused: error.kind.code, message: error.message };
  if (job.do !== 'describe') return undefined;
  // FFmpeg tells of too many tracks by the error of a lack of memory.
  if (/max_streams|allocate memory/i.test(errorMessage(error)))
    return { refused: 'too_many_streams', message: 'The file has more than 64 tracks.' };
  return { refused: 'unreadable_media', message: 'The file cannot be read as film or sound.' };
}

async function run(job: NodeAvJob, onSecond: (second: number) => void): Promise<unknown> {
  if (job.do === 'describe') return await describeMedia(job.path);
  if (job.do === 'scan-packets') return await scanPackets(job.path, job.description);
  if (job.do === 'draw-stills') return await drawStills(job.path, job.plan, onSecond);
  if (job.do === 'draw-poster') return await drawPoster(job.path, job.plan);
  if (job.do === 'draw-grey') return await drawGrey(job.path, job.plan, onSecond);
  if (job.do === 'draw-pictures') return await drawPictures(job.path, job.plan);
  if (job.do === 'draw-sound') return await drawSound(job.path, job.plan);
  if (job.do === 'copy-rendition') return await copyRendition(job.path, job.plan);
  if (job.do === 'encode-renditions') return await encodeRenditions(job.path, job.plan, onSecond);
  return await extractSubtitles(job.path, job.plan);
}
