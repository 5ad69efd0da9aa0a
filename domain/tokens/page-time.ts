import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from './secrets.ts';

/**
 * Signs the time as of which a list was begun. Its further pages send both back: who could name any time would find out, by halves,
 * when each video came in. The key is the one that outlives a change of the signing keys, as lists stay open for hours.
 */
export function signPageTime(secrets: Secrets, time: string): string {
  return createHmac('sha256', secrets.thumbnailKey).update(`page time ${time}`).digest('base64url');
}

/** Whether this archive gave out this time, letter by letter. */
export function isOwnPageTime(secrets: Secrets, time: string, signature: string): boolean {
  const [own, given] = [Buffer.from(signPageTime(secrets, time)), Buffer.from(signature)];
  return own.length === given.length && timingSafeEqual(own, given);
}
