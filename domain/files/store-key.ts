import { isVideoId } from './video-keys.ts';

const part = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Whether a name may stand in a key: no folder above it, nothing hidden. */
export function isKeyPart(name: string): boolean {
  return part.test(name);
}

/** The parts of a key, the area first. Throws for what is none, so that nothing outside of a store is ever reached by one. */
export function partsOfKey(key: string): { readonly area: 'media'; readonly id: string; readonly rest: readonly string[] } {
  const [area, id = '', ...rest] = key.split('/');
  if (area !== 'media' || !isVideoId(id) || !rest.every(isKeyPart)) throw new Error('not a key');
  return { area, id, rest };
}
