import { createHash } from 'node:crypto';
import { limits } from '#contract/limits.ts';
import { sha256Of } from '#domain/files/sha256.ts';

/** The same bytes for the same seed: a file whose content nobody looks into. */
export function madeBytes(length: number, seed: string): Buffer {
  return createHash('shake256', { outputLength: length }).update(seed).digest();
}

/** SHA-256 of its beginning and end, as a page tells it. */
export function endsOf(bytes: Buffer): string {
  const piece = limits.endPieceBytes;
  return sha256Of(Buffer.concat([bytes.subarray(0, piece), bytes.subarray(Math.max(0, bytes.length - piece))]));
}
