import type { MediaDescription, PacketScan } from './media-description.ts';

const keyFrameGapMaxSeconds = 10;
export const framesPerSecondMax = 60;

/** Whether browsers play the tracks as they are and a seek into them lands near, by what a file says of them; what can be decoded of it says the rest. */
export function playsAsItIs({ description, scan }: { description: MediaDescription; scan: PacketScan }): boolean {
  const { video, audio } = description;
  if (audio && audio.codec !== 'aac') return false;
  if (!video || !scan.video) return audio !== null && video === null && scan.audio?.timeJumps === 0;
  const isPlainPicture = video.codec === 'h264' && /^yuvj?420p$/.test(video.pixelFormat) && !video.interlaced;
  const isUpright = video.rotation === 0 && video.pixelAspect === 1 && video.width % 2 === 0 && video.height % 2 === 0;
  const isRegular =
    scan.video.firstIsKeyFrame &&
    scan.video.longestKeyFrameGapSeconds <= keyFrameGapMaxSeconds &&
    scan.video.timeJumps === 0 &&
    (scan.audio?.timeJumps ?? 0) === 0 &&
    measureFramesPerSecond(scan.video) <= framesPerSecondMax + 1;
  return isPlainPicture && isUpright && isRegular;
}

/** Measured, not claimed. */
export function measureFramesPerSecond({ packets, endSeconds }: { readonly packets: number; readonly endSeconds: number }): number {
  return packets / Math.max(endSeconds, 0.001);
}
