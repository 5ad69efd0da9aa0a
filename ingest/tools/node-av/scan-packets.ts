import { AV_PKT_FLAG_DISCARD } from 'node-av/constants';
import type { MediaDescription, PacketScan } from '../../media/media-description.ts';
import { createTrackScanner } from '../../media/track-scanner.ts';
import { openInput } from './open-input.ts';

/** Walks over every packet without decoding any. */
export async function scanPackets(path: string, description: MediaDescription): Promise<PacketScan> {
  const video = createTrackScanner(description.format);
  const audio = createTrackScanner(description.format);
  await using input = await openInput(path);
  for await (using packet of input.packets()) {
    if (!packet) break;
    // Outside the stretch that the film's own edit list shows.
    if (packet.hasFlags(AV_PKT_FLAG_DISCARD)) continue;
    const scanner =
      packet.streamIndex === description.video?.index ? video : packet.streamIndex === description.audio?.index ? audio : undefined;
    const { num, den } = packet.timeBase;
    // The smallest 64-bit number stands for "no time".
    const seconds = (ticks: bigint) => (ticks < -(2n ** 62n) ? undefined : (Number(ticks) * num) / den);
    scanner?.add({
      ptsSeconds: seconds(packet.pts),
      dtsSeconds: seconds(packet.dts),
      durationSeconds: seconds(packet.duration) ?? 0,
      isKeyFrame: packet.isKeyframe,
    });
  }
  return { video: video.result(description.startSeconds), audio: audio.result(description.startSeconds) };
}
