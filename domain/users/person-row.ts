import type { Roles } from '#contract/roles.ts';
import type { SignInWay, UserRow } from '#contract/users.ts';
import { avatarAddress } from './avatar-address.ts';
import type { Caution } from './cautions.ts';

/** A row of the view `people`, columns renamed. */
export interface PersonRow {
  readonly uid: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly displayName: string;
  readonly roles: Roles;
  readonly authVersion: number;
  readonly signInWays: SignInWay[];
  readonly signedUpAt: Date;
  readonly activatedAt: Date | null;
  readonly note: string;
}

/** The same as it goes over the wire. */
export function userRow(person: PersonRow, cautions: Caution[]): UserRow {
  return {
    uid: person.uid,
    email: person.email,
    emailVerified: person.emailVerified,
    displayName: person.displayName,
    photoUrl: avatarAddress(person.email || person.uid),
    roles: person.roles,
    authVersion: person.authVersion,
    signInWays: person.signInWays,
    signedUpAt: person.signedUpAt.toISOString(),
    activatedAt: person.activatedAt?.toISOString() ?? null,
    note: person.note,
    cautions,
  };
}
