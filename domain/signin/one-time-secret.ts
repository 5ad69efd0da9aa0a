import { randomBytes } from 'node:crypto';
import { sha256Of } from '../files/sha256.ts';

/** 256 random bits as text: what a visitor holds. */
export function makeRandomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database keeps of it. */
export function hashOf(secret: string): string {
  return sha256Of(secret);
}
