import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits as text: what a visitor holds. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database keeps of it. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
