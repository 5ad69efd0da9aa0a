import { open } from 'node:fs/promises';
import { z } from 'zod';
import { serverLimits } from '#contract/limits.ts';
import { noteLength } from '#domain/videos/publish-video.ts';
import { MediaDescription, PacketScan } from '../media/media-description.ts';
import { prepareOriginalInput } from '../original-input.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { makeRefusal } from '../step-failure.ts';

/** What the original is, as far as it can be known without decoding it. */
export const ProbeResult = z.object({
  description: MediaDescription,
  scan: PacketScan,
  durationInSeconds: z.number(),
  /** Set when the file holds less than its container claims. */
  damage: z.string().nullable(),
});
export type ProbeResult = z.infer<typeof ProbeResult>;

const headBytes = 4_096;
// A scan reads the file once; slow disks that others use as well manage about 5 MB a second.
const scanSecondsPerMegabyte = 1 / 5;
const soundContainers = /^(mp3|wav|flac|aac|ogg)$/;
const soundNames = /\.(mp3|wav|flac|aac|m4a|m4b|ogg|oga|opus|wma|amr) *$/i;

/** Judges the original: what it is, how long in truth, and whether it can be footage at all. */
export const probe: Step<ProbeResult> = {
  name: 'probe',
  version: 1,
  needs: [],
  optional: false,
  class: 'playable',
  share: 3,
  Result: ProbeResult,
  run: judgeOriginal,
};

async function judgeOriginal(context: StepContext): Promise<StepOutcome<ProbeResult>> {
  const sizeBytes = await refuseForeignContent(await context.original());
  const input = await prepareOriginalInput(context, { durationInSeconds: (sizeBytes / 1_000_000) * scanSecondsPerMegabyte, factor: 1 });
  const { description, scan } = await context.tools.lookAt(input);
  refuseByDescription(description, context.video.fileName);
  const durationInSeconds = Math.max(scan.video?.endSeconds ?? 0, scan.audio?.endSeconds ?? 0);
  if (!scan.video && !scan.audio) throw makeRefusal('unreadable_media', 'The file lists tracks but contains no video or audio.');
  if (durationInSeconds > serverLimits.filmMaxHours * 3_600)
    throw makeRefusal('too_long', `The video is longer than ${serverLimits.filmMaxHours} hours.`);
  await noteLength(context.pool, context.video.id, durationInSeconds);
  const damage = damageOf(description, durationInSeconds);
  return { is: 'done', result: { description, scan, durationInSeconds, damage }, remark: damage };
}

async function refuseForeignContent(path: string): Promise<number> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  if (size === 0) throw makeRefusal('empty_file', 'The file is empty.');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  const foreign = foreignContentIn(buffer.subarray(0, bytesRead));
  if (foreign) throw makeRefusal('unsupported_media_type', `The file is ${foreign}, not video or audio.`);
  return size;
}

function refuseByDescription(description: MediaDescription, fileName: string): void {
  const { video, audio } = description;
  if (!video && !audio) throw makeRefusal('no_video_stream', 'The file has no video or audio track.');
  // Sound alone is welcome, but a film that is only sound in truth was given by mistake.
  if (!video && soundContainers.test(description.format) && !soundNames.test(fileName)) {
    throw makeRefusal('no_video_stream', `The file is named as video but contains only ${description.format} audio.`);
  }
  if (!video) return;
  if (video.width === 0 || video.height === 0) throw makeRefusal('unreadable_media', 'The video track cannot be read.');
  if (video.width * video.height > serverLimits.pictureMaxPixels) {
    throw makeRefusal('dimensions_too_large', `The video is ${video.width} × ${video.height}; the limit is 36 million pixels.`);
  }
}

function damageOf(description: MediaDescription, durationInSeconds: number): string | null {
  const missing = description.claimedSeconds - durationInSeconds;
  if (missing < 1 || missing < description.claimedSeconds * 0.05 || description.format.startsWith('mpegts')) return null;
  return `The file claims ${description.claimedSeconds.toFixed(1)} s but contains ${durationInSeconds.toFixed(1)} s.`;
}

/** Beginnings of files that are something else than footage, whatever their name says. */
const signatures: readonly { readonly what: string; readonly begins: RegExp }[] = [
  { what: 'an image', begins: /^(\xff\xd8\xff|GIF8[79]a|\x89PNG|BM....\0\0|II\*\0|MM\0\*|RIFF....WEBP)/s },
  { what: 'a file archive', begins: /^(PK[\x03\x05]|\x1f\x8b|BZh|7z\xbc\xaf|\xfd7zXZ|Rar!|\x28\xb5\x2f\xfd)/ },
  { what: 'a program', begins: /^(\x7fELF|MZ[^\0]|#!)/ },
  { what: 'a document', begins: /^(%PDF|\{\\rtf|SQLite format 3)/ },
  {
    what: 'a playlist or script that points to other files',
    begins: /^\s*(#EXTM3U|ffconcat version|\[playlist\]|<\?xml|<MPD|<svg|<smil|v=0\r?\n|FILE "|;FFMETADATA|movie=|\w+\(["'])/,
  },
];

/** What a file is, judged by its first bytes, when that is certainly no footage. */
function foreignContentIn(head: Buffer): string | undefined {
  const text = head.toString('latin1');
  return signatures.find((signature) => signature.begins.test(text))?.what;
}
