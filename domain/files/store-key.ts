import { isVideoId } from './video-keys.ts';

const part = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** What a store holds: films, generations of the index, and what has come of uploads. */
type Area = 'media' | 'index' | 'parts';

/** Whether a text names something in an area. */
export const isIdIn: Readonly<Record<Area, (text: string) => boolean>> = {
  media: isVideoId,
  index: (text) => /^g-[0-9a-z]+$/.test(text),
  parts: (text) => /^[0-9a-f]{32}$/.test(text),
};

interface KeyParts {
  readonly area: Area;
  /** Of the video, the generation of the index, or the upload. */
  readonly id: string;
  readonly rest: readonly string[];
}

/** Whether a name may stand in a key: no folder above it, nothing hidden. */
export function isKeyPart(name: string): boolean {
  return part.test(name);
}

/** The parts of a key. Throws for what is none, so that nothing outside of a store is ever reached by one. */
export function partsOfKey(key: string): KeyParts {
  const [area, id = '', ...rest] = key.split('/');
  if (rest.every(isKeyPart)) {
    if (isArea(area) && isIdIn[area](id)) return { area, id, rest };
  }
  throw new Error('not a key');
}

/** Throws for what is no key of media. */
export function checkMedia(key: string): void {
  if (partsOfKey(key).area !== 'media') throw new Error('not a key of media');
}

/** Throws for a key of media, which nobody is to delete by mistake. */
export function checkDiscardable(key: string): void {
  if (partsOfKey(key).area === 'media') throw new Error('media are never discarded');
}

/** Throws for what names neither an area nor a key. */
export function checkPrefix(prefix: string): void {
  if (!isArea(prefix)) partsOfKey(prefix);
}

function isArea(name: string | undefined): name is Area {
  return name !== undefined && Object.hasOwn(isIdIn, name);
}

/** The key of what a generation of the index is made of: content of this SHA-256, in hexadecimal digits. Nothing else ever has that key. */
export function toIndexKey(generationName: string, sha256: string): string {
  return `index/${generationName}/${sha256}`;
}

/** The key of what came of an upload from byte `start` up to, and without, byte `end`. */
export function toPartKey(upload: string, { start, end }: { readonly start: number; readonly end: number }): string {
  return `parts/${upload}/${start}-${end}`;
}
