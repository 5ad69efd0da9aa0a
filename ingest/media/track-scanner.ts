import type { TrackScan } from './media-description.ts';

export interface ScannedPacket {
  readonly ptsSeconds: number | undefined;
  readonly dtsSeconds: number | undefined;
  readonly durationSeconds: number;
  readonly isKeyFrame: boolean;
}

const jumpSeconds = 10;

// Only these carry a clock that may be reset in mid-stream; elsewhere a long gap is a long still picture.
const resettableFormats = /^(mpegts|mpeg)\b/;

/** Adds up one track's packets as they come by, in decoding order. A jump of the time line counts for nothing in the length. */
export function createTrackScanner(format: string) {
  const mayJump = resettableFormats.test(format);
  let packets = 0;
  let keyFrames = 0;
  let timeJumps = 0;
  let firstIsKeyFrame = false;
  let offset = 0;
  let lastDts: number | undefined;
  let lastDuration = 0;
  let firstTime: number | undefined;
  let end = 0;
  let lastKeyFrame: number | undefined;
  let longestGap = 0;
  return {
    add(packet: ScannedPacket): void {
      packets += 1;
      if (packets === 1) firstIsKeyFrame = packet.isKeyFrame;
      const dts = packet.dtsSeconds ?? packet.ptsSeconds;
      if (dts !== undefined) {
        const expected = lastDts === undefined ? dts : lastDts + lastDuration;
        if (mayJump && lastDts !== undefined && Math.abs(dts - expected) > jumpSeconds) {
          timeJumps += 1;
          offset += expected - dts;
        }
        lastDts = dts;
        lastDuration = packet.durationSeconds;
      }
      const time = (packet.ptsSeconds ?? dts ?? 0) + offset;
      firstTime = Math.min(firstTime ?? time, time);
      end = packets === 1 ? time + packet.durationSeconds : Math.max(end, time + packet.durationSeconds);
      if (!packet.isKeyFrame) return;
      keyFrames += 1;
      if (lastKeyFrame !== undefined) longestGap = Math.max(longestGap, time - lastKeyFrame);
      lastKeyFrame = time;
    },
    /** The track as a whole; `startSeconds` is where the film's own time line begins. */
    result(startSeconds: number): TrackScan | null {
      if (packets === 0) return null;
      const start = firstTime === undefined ? startSeconds : Math.min(startSeconds, firstTime);
      // The stretch after the last key frame counts too: a seek into it has to go back that far.
      const tail = lastKeyFrame === undefined ? 0 : end - lastKeyFrame;
      return {
        packets,
        endSeconds: Math.max(0, end - start),
        keyFrames,
        longestKeyFrameGapSeconds: Math.max(longestGap, tail),
        firstIsKeyFrame,
        timeJumps,
      };
    },
  };
}
