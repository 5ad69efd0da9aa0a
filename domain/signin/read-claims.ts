import { decodeJwt } from 'jose';
import { z } from 'zod';
import { displayNameOf } from '../users/display-name.ts';
import { parseEmail } from '../users/email.ts';
import type { Profile } from '../users/merge-profile.ts';

const clockLeewaySeconds = 60;

const Claims = z.object({
  sub: z.string().regex(/^[^\p{Cc}]{1,255}$/u),
  iat: z.int().refine((seconds) => seconds * 1_000 <= Date.now() + clockLeewaySeconds * 1_000),
  email: z
    .string()
    .default('')
    .transform((address) => parseEmail(address) ?? ''),
  email_verified: z.unknown().optional(),
  name: z.string().nullish().catch(null),
});

/** Who an ID token speaks of; null when it does not say it properly. Its signature has been verified before. */
export function readClaims(idToken: string, { provesEmail }: { provesEmail: boolean }): (Profile & { sub: string }) | null {
  const claims = Claims.safeParse(decodeJwt(idToken));
  if (!claims.success) return null;
  const { sub, email, email_verified, name } = claims.data;
  return { sub, email, name: displayNameOf(email, name), emailVerified: provesEmail && email_verified === true };
}
