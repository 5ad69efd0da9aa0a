import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import { MediaDescription, PacketScan } from '../media/media-description.ts';
import { StepFailure } from '../step-failure.ts';
import { bundledChild } from './bundled-child.ts';
import type { MediaInput, MediaTools } from './media-tools.ts';
import type { NodeAvJob } from './node-av-job.ts';
import { runChild } from './run-child.ts';
import type { Sandbox } from './sandbox.ts';

const source = join(import.meta.dirname, 'node-av-child.ts');
const Look = z.object({ description: MediaDescription, scan: PacketScan });
const DecodeReport = z.object({ brokenPackets: z.number().int(), clean: z.boolean() });

/** For people, as a sentence begins. */
const doings: Readonly<Record<NodeAvJob['do'], string>> = {
  'look-at': 'Looking into the file',
  'draw-stills': 'Drawing small pictures of the film',
  'draw-poster': 'Drawing the poster',
  'draw-grey': 'Looking for shots',
  'draw-pictures': 'Drawing pictures of the film',
  'draw-sound': 'Drawing the sound of the film',
  'copy-rendition': 'Cutting the film into segments',
  'encode-renditions': 'Encoding the film',
  'extract-subtitles': 'Reading the subtitles of the film',
};

/** Whether the package with its own FFmpeg is here for this platform. */
export function findNodeAv(): boolean {
  const require = createRequire(import.meta.url);
  try {
    require.resolve('node-av');
    require.resolve(`@seydx/node-av-${process.platform}-${process.arch}`);
    return true;
  } catch {
    return false;
  }
}

/** The media tools by node-av, FFmpeg inside npm. A fault in it ends the whole process, so every job has a process of its own. */
export function nodeAvTools(sandbox: Sandbox): MediaTools {
  const child = bundledChild(source);
  const run = (input: MediaInput, job: NodeAvJob) =>
    runChild(sandbox, input, { file: child(), job, doing: doings[job.do], Result: z.unknown() });
  return {
    name: 'FFmpeg of the package node-av',
    drawsFromKeyFrames: true,
    lookAt: async (input) => Look.parse(await run(input, { do: 'look-at', path: input.path })),
    drawStills: async (input, plan) => DecodeReport.parse(await run(input, { do: 'draw-stills', path: input.path, plan })),
    drawPoster: async (input, plan) => void (await run(input, { do: 'draw-poster', path: input.path, plan })),
    drawGrey: async (input, plan) => void (await run(input, { do: 'draw-grey', path: input.path, plan })),
    drawPictures: async (input, plan) => void (await run(input, { do: 'draw-pictures', path: input.path, plan })),
    drawSubtitles: () =>
      Promise.reject(
        new StepFailure(
          { is: 'tool-missing' },
          'Subtitles that are pictures are drawn by the ffmpeg of the system, which is not installed; node-av cannot.',
        ),
      ),
    drawSound: async (input, plan) => void (await run(input, { do: 'draw-sound', path: input.path, plan })),
    copyRendition: async (input, plan) => void (await run(input, { do: 'copy-rendition', path: input.path, plan })),
    encodeRenditions: async (input, plan) => void (await run(input, { do: 'encode-renditions', path: input.path, plan })),
    extractSubtitles: async (input, plan) => void (await run(input, { do: 'extract-subtitles', path: input.path, plan })),
  };
}
