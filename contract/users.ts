import { z } from 'zod';
import { providerIds } from './archive.ts';
import { limits, serverLimits } from './limits.ts';
import { NextRows, pageInput } from './paging-input.ts';
import { Roles, roleNames } from './roles.ts';

/** How somebody can have signed in: by a provider, or by a link in an e-mail. */
export const SignInWay = z.enum([...providerIds, 'email']);
export type SignInWay = z.infer<typeof SignInWay>;

const instant = z.iso.datetime();

/** One of the users collection, as administrators see it. */
export const UserRow = z.object({
  uid: z.string(),
  /** Empty when the provider gave none. */
  email: z.string(),
  /** Whether the address is proved to be theirs: by a provider that is trusted with it, or by a link sent to it. */
  emailVerified: z.boolean(),
  displayName: z.string(),
  photoUrl: z.string(),
  roles: Roles,
  /** Raised by every change of roles. */
  authVersion: z.number().int(),
  signInWays: z.array(SignInWay),
  signedUpAt: instant,
  /** When they were first allowed to watch; null while they wait. */
  activatedAt: instant.nullable(),
  /** What they told the administrators about themselves while waiting; often empty. */
  note: z.string(),
  /** What an administrator should look at twice: letters of several scripts in one word, or the name or address of somebody active. */
  cautions: z.array(z.enum(['mixed-scripts', 'same-name', 'similar-address'])),
});
export type UserRow = z.infer<typeof UserRow>;

export const ListUsersInput = z.object({
  /** `waiting`: without any role, oldest first unless sorted otherwise; `active`: with a role. */
  group: z.enum(['waiting', 'active', 'all']).default('all'),
  /** Part of a name or an e-mail, in any case; empty for everybody. */
  search: z
    .string()
    .refine((text) => [...text].length <= limits.userSearchMaxCodePoints, `must have at most ${limits.userSearchMaxCodePoints} characters`)
    .default(''),
  sort: z.enum(['signedUpAt', 'displayName', 'email']).default('signedUpAt'),
  order: z.enum(['asc', 'desc']).default('asc'),
  ...pageInput,
});

export type ListUsersInput = z.output<typeof ListUsersInput>;

export const UserPage = z.object({ users: z.array(UserRow), total: z.number().int(), nextPage: NextRows });
export type UserPage = z.infer<typeof UserPage>;

export const UserByUid = z.object({ uid: z.string() });

export const SetOwnNameInput = z.strictObject({ uid: z.string(), displayName: z.string().max(serverLimits.displayNameBodyMaxCharacters) });

/** Exactly one role is switched at a time; `authVersion` says which state the switch was seen in. */
export const SetRoleInput = z.strictObject({
  uid: z.string(),
  role: z.enum(roleNames),
  granted: z.boolean(),
  authVersion: z.number().int().optional(),
});

/** A change that the audit keeps. People are named as they were then, since they may be gone. */
export const ActivityEntry = z.object({
  id: z.number().int(),
  at: instant,
  action: z.enum([
    ...[
      'signed-up',
      'role-granted',
      'role-removed',
      'user-deleted',
      'account-deleted',
      'name-changed',
      'email-changed',
      'key-made',
      'key-revoked',
    ],
    ...[
      'title-changed',
      'fact-changed',
      'person-named',
      'faces-merged',
      'poster-chosen',
      'film-replaced',
      'correction-undone',
      'person-forgotten',
      'film-added',
      'sidecar-added',
      'film-shown-to',
      'film-deleted',
      'film-restored',
      'film-erased',
      'lines-corrected',
      'lines-verified',
      'recognition-on',
      'recognition-off',
      'brands-changed',
      'access-checked',
    ],
  ] as const),
  /** Who did it; null for the operator at the command line, and for what the archive does by itself. */
  actor: z.object({ uid: z.string(), displayName: z.string(), email: z.string() }).nullable(),
  /** Whom it was done to; null where it was a film. */
  subject: z.object({ uid: z.string(), displayName: z.string(), email: z.string() }).nullable(),
  /** The film that was changed, as it was called before; without its name where that named somebody who was forgotten since. */
  video: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** What was there before, of a film or of the list of brands; else empty. */
  before: z.string(),
  /**
   * The role of a role's change, the new name of a name's, the new address of an address's, the name of a key, the new title of a film's, the file that a film came
   * as, what lines say now, what was taken back; else empty.
   */
  detail: z.string(),
  /** Network address it came from; `command line` for the operator, `worker` and `the sweep` for the archive. */
  from: z.string(),
});
export type ActivityEntry = z.infer<typeof ActivityEntry>;

export const ListActivityInput = z.object(pageInput);
export const ActivityPage = z.object({ entries: z.array(ActivityEntry), total: z.number().int(), nextPage: NextRows });
export type ActivityPage = z.infer<typeof ActivityPage>;
