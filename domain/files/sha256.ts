import { createHash, hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { StoredRange } from './store.ts';

/** A SHA-256 in hexadecimal digits. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The SHA-256 of what is in memory, in hexadecimal digits. */
export function sha256Of(bytes: Uint8Array | string): string {
  return hash('sha256', bytes);
}

const pieceBytes = 262_144;

/** Of a whole file of this machine. One piece of memory takes it all in turn: new ones cost as much as the hash. */
export async function sha256OfFile(path: string): Promise<string> {
  await using file = await open(path, 'r');
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(pieceBytes);
  for (;;) {
    const { bytesRead } = await file.read(piece, 0, piece.length);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(piece.subarray(0, bytesRead));
  }
}

/** Of what a store handed out. Throws where it cannot be read to its end, and at the signal. */
export async function sha256OfStored(stored: StoredRange, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(stored.stream(), hash, { ...(signal ? { signal } : {}) });
  return hash.digest('hex');
}
