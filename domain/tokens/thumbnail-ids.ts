import { type Cipheriv, createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Secrets } from './secrets.ts';

export type Thumbnail =
  | { readonly kind: 'poster' }
  /** `isOfBefore`: the id was given for the picture that an earlier version of the film's pictures had there. */
  | { readonly kind: 'still' | 'frame'; readonly frame: number; readonly isOfBefore?: true }
  | { readonly kind: 'shot'; readonly atMs: number; readonly isOfBefore?: true }
  | { readonly kind: 'face'; readonly mark: string };

/** Numbers from here on are posters: the last is the first one of a video, and each other poster of it is one before. */
const [posterFramesFrom, posterFrame] = [0xffff_0000, 0xffff_ffff];
/** And from here to those are stills of shots, by the milliseconds at which they stand: the first 24 days of a film. */
const shotFramesFrom = 0x8000_0000;
const blockLength = 16;
const frameLength = 4;

/** The ids of a video's pictures, by the second that each shows. One answer names up to a hundred of each video: its key is made once for all of them. */
export type PictureIds = (frame: number) => string;

/** The poster's id, which is another one with each version of it: every account token opens it. */
export function makePosterThumbnailId(secrets: Secrets, videoId: string, version = 0): string {
  return makePictureIds(secrets, { kind: 'poster', videoId })(posterFrame - (version % (posterFrame - posterFramesFrom)));
}

/** The ids of a card's stills, which are others with each version of a video's pictures: every account token opens them. */
export function makeStillThumbnailIds(secrets: Secrets, videoId: string, version = 0): PictureIds {
  return makePictureIds(secrets, { kind: 'still', videoId, version });
}

/** The number under which the still of a shot has an id among the frames that an answer names. */
export function frameOfShot(atMs: number): number {
  return Math.min(shotFramesFrom + atMs, posterFramesFrom - 1);
}

/** What stands under a number among the frames that an answer names. */
export function pictureOfFrame(frame: number): Thumbnail {
  return frame >= shotFramesFrom ? { kind: 'shot', atMs: frame - shotFramesFrom } : { kind: 'frame', frame };
}

interface FramesOf {
  readonly videoId: string;
  readonly caller: string;
  /** Of the video's pictures. */
  readonly version?: number;
}

/** The ids of frames that an answer names, others with each version: only the caller who got that answer opens them, so nobody can count frames up. */
export function frameThumbnailIds(secrets: Secrets, { videoId, caller, version = 0 }: FramesOf): PictureIds {
  return makePictureIds(secrets, { kind: 'frame', videoId, caller, version });
}

/** The ids of pictures of faces, by their marks: only the caller who got the answer opens them. */
export function makeFaceThumbnailIds(secrets: Secrets, { videoId, caller }: { videoId: string; caller: string }): (mark: string) => string {
  const idOf = makePictureIds(secrets, { kind: 'face', videoId, caller });
  return (mark) => idOf(Number.parseInt(mark, 16));
}

/**
 * The picture behind an id for this caller, also behind one of an earlier version of the video's pictures: pages that are open name those. Null
 * when the id is made up, another video's or another caller's.
 */
export function readThumbnailId(secrets: Secrets, asked: FramesOf & { readonly thumbnailId: string }): Thumbnail | null {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(asked.thumbnailId)) return null;
  const bytes = Buffer.from(asked.thumbnailId.replaceAll('-', ''), 'hex');
  const frame = bytes.readUInt32BE(0);
  const { videoId, caller, version: newest = 0 } = asked;
  const opens = (of: PicturesOf) => timingSafeEqual(bytes, makePictureBytes(secrets, of)(frame));
  if (opens({ kind: 'face', videoId, caller })) return { kind: 'face', mark: bytes.toString('hex', 0, frameLength) };
  if (frame >= posterFramesFrom) return opens({ kind: 'poster', videoId }) ? { kind: 'poster' } : null;
  for (let version = newest; version >= 0; version -= 1) {
    const age = version < newest ? { isOfBefore: true as const } : {};
    if (opens({ kind: 'still', videoId, version })) return { kind: 'still', frame, ...age };
    if (opens({ kind: 'frame', videoId, caller, version })) return { ...pictureOfFrame(frame), ...age };
  }
  return null;
}

interface PicturesOf {
  readonly kind: Thumbnail['kind'];
  readonly videoId: string;
  readonly caller?: string;
  readonly version?: number;
}

function makePictureIds(secrets: Secrets, of: PicturesOf): PictureIds {
  const bytesOf = makePictureBytes(secrets, of);
  return (frame) => {
    const hex = bytesOf(frame).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };
}

/** The frame's number, and after it what nobody can tell without the key of these pictures: the number and their version enciphered by it. */
function makePictureBytes(secrets: Secrets, of: PicturesOf): (frame: number) => Buffer {
  const cipher = cipherOf(secrets, of);
  return (frame) => {
    const block = Buffer.alloc(blockLength);
    block.writeUInt32BE(frame, 0);
    block.writeUInt32BE(of.version ?? 0, frameLength);
    const enciphered = cipher.update(block);
    enciphered.copy(block, frameLength, 0, blockLength - frameLength);
    return block;
  };
}

const ciphersMax = 5_000;
/** By the key of their archive, and as long as that: secrets that live on may get another one. */
const cipherCaches = new WeakMap<Uint8Array, LRUCache<string, Cipheriv>>();

/** The cipher of some pictures. To make one takes as long as a hundred ids, and every answer names pictures of a dozen videos. */
function cipherOf(secrets: Secrets, { kind, videoId, caller = '' }: PicturesOf): Cipheriv {
  const ciphers = cipherCaches.get(secrets.thumbnailKey) ?? new LRUCache<string, Cipheriv>({ max: ciphersMax });
  cipherCaches.set(secrets.thumbnailKey, ciphers);
  const name = JSON.stringify([kind, videoId, caller]);
  const known = ciphers.get(name);
  if (known) return known;
  const key = createHmac('sha256', secrets.thumbnailKey).update(name).digest();
  // Single blocks, each of another number: there is nothing to chain.
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  ciphers.set(name, cipher);
  return cipher;
}
