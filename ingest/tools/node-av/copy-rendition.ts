import type { RenditionPlan } from '../../media/media-plans.ts';
import { openInput } from './open-input.ts';
import { openPlaylist } from './open-playlist.ts';

/** Cuts the film into segments as it is. */
export async function copyRendition(path: string, plan: RenditionPlan): Promise<void> {
  await using input = await openInput(path);
  await using output = await openPlaylist(plan.folder, plan);
  const targets = new Map<number, number>();
  for (const index of [plan.videoStream, plan.audioStream]) {
    const stream = index === null ? undefined : input.streams[index];
    if (stream) targets.set(stream.index, output.addStream(stream));
  }
  for await (using packet of input.packets()) {
    if (!packet) break;
    const target = targets.get(packet.streamIndex);
    if (target !== undefined) await output.writePacket(packet, target);
  }
}
