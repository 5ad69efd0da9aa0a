import { z } from 'zod';
import { limits } from './limits.ts';
import { SignInWay } from './users.ts';

const instant = z.iso.datetime();

/** One browser in which somebody is signed in. */
export const OwnSession = z.object({
  sid: z.string(),
  /** In plain words: `Chrome on Linux`. */
  browser: z.string(),
  signedInAt: instant,
  lastSeenAt: instant,
  /** The one that asks. */
  isThis: z.boolean(),
});
export type OwnSession = z.infer<typeof OwnSession>;

/** What scripts of somebody come in with; the key itself was told once, when it was made. */
export const OwnKey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: instant,
  expiresAt: instant,
  lastUsedAt: instant.nullable(),
});
export type OwnKey = z.infer<typeof OwnKey>;

/** What somebody may see of their own account. */
export const Account = z.object({
  displayName: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  signInWays: z.array(SignInWay),
  signedUpAt: instant,
  /** When the administrators were told of the sign-up; null when they have not been, or cannot be. */
  adminsToldAt: instant.nullable(),
  activatedAt: instant.nullable(),
  note: z.string(),
  sessions: z.array(OwnSession),
  keys: z.array(OwnKey),
});
export type Account = z.infer<typeof Account>;

export const SetOwnNoteInput = z.strictObject({ note: z.string().max(2 * limits.noteMaxCodePoints) });

export const EndOwnSessionInput = z.object({ sid: z.string() });

export const MakeKeyInput = z.strictObject({
  name: z.string().max(2 * limits.keyNameMaxCodePoints),
  days: z.int().min(1).max(limits.keyDaysMax),
});
/** Told this once. */
export const NewKey = z.object({ key: z.string() });

export const RevokeKeyInput = z.object({ key: z.string() });
