import { z } from 'zod';
import { serverLimits } from './limits.ts';
import { Roles } from './roles.ts';

export const SignedInUser = z.object({
  uid: z.string(),
  email: z.string(),
  displayName: z.string(),
  photoUrl: z.string(),
  roles: Roles,
});
export type SignedInUser = z.infer<typeof SignedInUser>;

/** Who is asking: `user` is null for a guest. */
export const Session = z.object({ user: SignedInUser.nullable() });
export type Session = z.infer<typeof Session>;

export const AccessToken = z.object({
  accessToken: z.string(),
  /** Ours, of a single video: opens its player and insights where those lie at another service. */
  widgetToken: z.string().optional(),
});
export type AccessToken = z.infer<typeof AccessToken>;

/** Our short-lived bearer for the functions that want the user, never the session secret itself. */
export const UserBearer = z.object({ token: z.string(), expiresInSeconds: z.number().int() });
export type UserBearer = z.infer<typeof UserBearer>;

/** Who wants a link. The address is read by its own grammar, so that every other value gets `invalid_email`. */
export const SendSignInLinkInput = z.object({
  email: z.unknown(),
  displayName: z.unknown(),
  /** One that leads to no page of ours, or is too long for the address of a link, is left out there. */
  returnUrl: z.string().default('/'),
});

/** The secret of a link, and the address that it was sent to. */
export const SignInLinkInput = z.object({
  token: z.string().max(serverLimits.signInLinkMaxCharacters.token),
  email: z.string().max(serverLimits.signInLinkMaxCharacters.email),
});
