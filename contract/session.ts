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
