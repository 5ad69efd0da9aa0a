import { isVideoId } from './video-keys.ts';

const part = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const generation = /^g-[0-9a-z]+$/;

interface KeyParts {
  readonly area: 'media' | 'index';
  /** Of the video, or the generation of the index. */
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
    if (area === 'media' && isVideoId(id)) return { area, id, rest };
    if (area === 'index' && generation.test(id)) return { area, id, rest };
  }
  throw new Error('not a key');
}

/** Throws for what is no key of this area. */
export function checkArea(key: string, area: KeyParts['area']): void {
  if (partsOfKey(key).area !== area) throw new Error(`not a key of ${area}`);
}

/** The key of what a generation of the index is made of: content of this SHA-256, in hexadecimal digits. Nothing else ever has that key. */
export function indexKey(generationName: string, sha256: string): string {
  return `index/${generationName}/${sha256}`;
}
