/** FNV-1a of 32 bits (Fowler, Noll and Vo), over code units: where it begins. */
export const fnvStart = 0x811c9dc5;

/** The hash after one more code unit; signed. */
export function stepFnvHash(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** The hash of a text; signed. */
export function fnvHashOf(text: string): number {
  let hash = fnvStart;
  for (let at = 0; at < text.length; at++) hash = stepFnvHash(hash, text.charCodeAt(at));
  return hash;
}
