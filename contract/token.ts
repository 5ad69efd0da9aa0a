import { z } from 'zod';

export const AccessToken = z.object({ accessToken: z.string() });
export type AccessToken = z.infer<typeof AccessToken>;

/** Our short-lived bearer for the functions that want the user, never the session secret itself. */
export const UserBearer = z.object({ token: z.string(), expiresInSeconds: z.number().int() });
export type UserBearer = z.infer<typeof UserBearer>;
