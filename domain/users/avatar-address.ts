import { createHash } from 'node:crypto';

/** Address of the picture that this server draws of a person. */
export function toAvatarAddress(email: string): string {
  return `/api/avatars/${toAvatarHash(email)}`;
}

/** What the picture is drawn from; the e-mail cannot be read from it. */
export function toAvatarHash(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('hex').slice(0, 32);
}
