import { createHash } from 'node:crypto';

/** Address of the picture that this server draws from the e-mail; the e-mail cannot be read from it. */
export function avatarAddress(email: string): string {
  return `/api/avatars/${createHash('sha256').update(email.trim().toLowerCase()).digest('hex').slice(0, 32)}`;
}
