import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { parseJson } from '#domain/files/parse-json.ts';
import { MediaDescription, PacketScan } from '../media/media-description.ts';
import { refusal, StepFailure } from '../step-failure.ts';
import type { MediaInput, MediaTools } from './media-tools.ts';
import { type NodeAvJob, NodeAvLine } from './node-av-job.ts';
import { runHeld } from './run-held.ts';
import type { Sandbox } from './sandbox.ts';

const child = join(import.meta.dirname, 'node-av-child.ts');
const root = resolve(import.meta.dirname, '..', '..');
// All that the child loads; the data folder, which may lie beside them, is not among them.
const programs = ['package.json', 'node_modules', 'contract', 'domain', 'ingest'].map((name) => join(root, name));
const DecodeReport = z.object({ brokenPackets: z.number().int(), clean: z.boolean() });

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
  const run = (input: MediaInput, job: NodeAvJob) => runJob(sandbox, input, job);
  return {
    name: 'FFmpeg of the package node-av',
    describe: async (input) => MediaDescription.parse(await run(input, { do: 'describe', path: input.path })),
    scanPackets: async (input, description) => PacketScan.parse(await run(input, { do: 'scan-packets', path: input.path, description })),
    drawStills: async (input, plan) => DecodeReport.parse(await run(input, { do: 'draw-stills', path: input.path, plan })),
    drawPoster: async (input, plan) => void (await run(input, { do: 'draw-poster', path: input.path, plan })),
    drawGrey: async (input, plan) => void (await run(input, { do: 'draw-grey', path: input.path, plan })),
    copyRendition: async (input, plan) => void (await run(input, { do: 'copy-rendition', path: input.path, plan })),
    encodeRenditions: async (input, plan) => void (await run(input, { do: 'encode-renditions', path: input.path, plan })),
    extractSubtitles: async (input, plan) => void (await run(input, { do: 'extract-subtitles', path: input.path, plan })),
  };
}

async function runJob(sandbox: Sandbox, input: MediaInput, job: NodeAvJob): Promise<unknown> {
  let last: NodeAvLine | undefined;
  const { exitCode, stderr } = await runHeld(sandbox, input, {
    command: process.execPath,
    args: [child, JSON.stringify(job)],
    programs,
    onLine: (line) => {
      const parsed = NodeAvLine.safeParse(parseJson(line));
      if (!parsed.success) return undefined;
      if ('second' in parsed.data) return parsed.data.second;
      last = parsed.data;
      return undefined;
    },
  });
  if (last && 'refused' in last) throw refusal(last.refused, last.message);
  if (exitCode === 0 && last && 'result' in last) return last.result;
  if (/ENOSPC|No space left/.test(stderr)) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
  throw new StepFailure({ is: 'try-again' }, `${job.do} ended with ${exitCode}: ${stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? ''}`);
}
