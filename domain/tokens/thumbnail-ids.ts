import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from './secrets.ts';

export type Thumbnail = { readonly kind: 'poster' } | { readonly kind: 'still' | 'frame'; readonly frame: number };

const posterFrame = 0xffff_ffff;
const macLength = 12;

/** The poster's id: every account token opens it. */
export function posterThumbnailId(secrets: Secrets, videoId: string): string {
  return thumbnailId(posterFrame, macOf(secrets, { kind: 'poster', videoId, frame: posterFrame }));
}

/** The id of one of a card's stills: every account token opens it. */
export function stillThumbnailId(secrets: Secrets, videoId: string, frame: number): string {
  return thumbnailId(frame, macOf(secrets, { kind: 'still', videoId, frame }));
}

/** The id of a frame that an answer named: only the caller who got that answer opens it, so nobody can count frames up. */
export function frameThumbnailId(secrets: Secrets, { videoId, frame, caller }: { videoId: string; frame: number; caller: string }): string {
  return thumbnailId(frame, macOf(secrets, { kind: 'frame', videoId, frame, caller }));
}

/** The picture behind an id for this caller; null when the id is made up, another video's or another caller's. */
export function readThumbnailId(secrets: Secrets, asked: { videoId: string; thumbnailId: string; caller: string }): Thumbnail | null {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(asked.thumbnailId)) return null;
  const bytes = Buffer.from(asked.thumbnailId.replaceAll('-', ''), 'hex');
  const frame = bytes.readUInt32BE(0);
  const mac = bytes.subarray(4);
  const { videoId, caller } = asked;
  if (frame === posterFrame) return timingSafeEqual(mac, macOf(secrets, { kind: 'poster', videoId, frame })) ? { kind: 'poster' } : null;
  if (timingSafeEqual(mac, macOf(secrets, { kind: 'still', videoId, frame }))) return { kind: 'still', frame };
  if (timingSafeEqual(mac, macOf(secrets, { kind: 'frame', videoId, frame, caller }))) return { kind: 'frame', frame };
  return null;
}

function macOf(secrets: Secrets, of: { kind: string; videoId: string; frame: number; caller?: string }): Buffer {
  const message = JSON.stringify([of.kind, of.videoId, of.frame, of.caller ?? '']);
  return createHmac('sha256', secrets.thumbnailKey).update(message).digest().subarray(0, macLength);
}

function thumbnailId(frame: number, mac: Buffer): string {
  const bytes = Buffer.alloc(4 + macLength);
  bytes.writeUInt32BE(frame, 0);
  mac.copy(bytes, 4);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
