import { type FileHandle, open } from 'node:fs/promises';
import type { InferenceSession } from 'onnxruntime-node';
import { doChildJob } from '../tools/child-job.ts';
import { openLineFinder } from './paddle/find-lines.ts';
import { followTexts } from './paddle/follow-texts.ts';
import { openLineReader } from './paddle/read-line.ts';
import { PaddleTextJob } from './paddle-text.ts';
import type { RawPicture } from './raw-pictures.ts';
import type { StretchRead } from './text-reader.ts';

/** Two threads, of which none turns round and round until it has work again: that took three quarters more of a processor. */
const options: InferenceSession.SessionOptions = {
  intraOpNumThreads: 2,
  interOpNumThreads: 1,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
};

/* A process that reads the text in the pictures of one stretch of film, and ends. */
await doChildJob(PaddleTextJob, readStretch);

async function readStretch(job: PaddleTextJob, tellSecond: (second: number) => void): Promise<StretchRead> {
  await using file = await open(job.path);
  const pictureBytes = job.width * job.height * 3;
  const count = Math.floor((await file.stat()).size / pictureBytes);
  const secondOf = (n: number) => job.fromSeconds + n * job.everySeconds;
  const eyes = { findLines: await openLineFinder(job.finder, options), readLine: await openLineReader(job.reader, options) };
  const mustRead = new Set(job.readAtSeconds.map((second) => Math.round((second - job.fromSeconds) / job.everySeconds)));
  const pictures = { count, at: (n: number) => pictureAt(file, n, job) };
  const { texts, ...taken } = await followTexts(pictures, { mustRead, eyes, tell: (n) => tellSecond(secondOf(n)) });
  return {
    texts: texts.map(({ from, to, ...text }) => ({ ...text, fromSeconds: secondOf(from), toSeconds: secondOf(to) })),
    ...taken,
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1_024),
  };
}

async function pictureAt(file: FileHandle, n: number, { width, height }: PaddleTextJob): Promise<RawPicture> {
  const pixels = new Uint8Array(width * height * 3);
  await file.read(pixels, 0, pixels.length, n * pixels.length);
  return { pixels, width, height };
}
