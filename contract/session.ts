import { z } from 'zod';
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
