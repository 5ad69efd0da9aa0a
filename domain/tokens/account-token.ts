import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { Secrets } from './secrets.ts';
import { isTokenOf, openToken, signToken } from './signed-token.ts';
import { accountTokenClass, videoTokenClass } from './token-classes.ts';

export interface AccountClaims {
  /** Random id of a guest or a session that stays over renewals; thumbnail ids are made out to it. */
  readonly caller: string;
  /** Whether answers carry the fields that only administrators see. */
  readonly adminFields: boolean;
  /** Whether it is for a script that may also change what the archive holds; `caller` is its user then. */
  readonly mayEdit?: boolean;
  readonly sid?: string | undefined;
}

/** A token for search and thumbnails, 60 minutes; with `mayEdit` for what editors do, while their role and session last. */
export async function mintAccountToken(secrets: Secrets, { caller, adminFields, mayEdit, sid }: AccountClaims): Promise<string> {
  const scope = mayEdit ? 'search thumb edit' : adminFields ? 'search thumb adminfields' : 'search thumb';
  const claims = { sub: caller, scope, ...(sid ? { sid } : {}) } as const;
  return await signToken(secrets, accountTokenClass, { claims, lifetimeSeconds: limits.accessTokenLifetimeSeconds });
}

/** What an account token says. Throws a Problem: `forbidden` for a video token, `unauthenticated` or `token_expired` for the rest. */
export async function verifyAccountToken(secrets: Secrets, token: string): Promise<AccountClaims> {
  if (await isTokenOf(secrets, videoTokenClass, token))
    throw new Problem('forbidden', 'A video token does not give access to the account. Use the account token.');
  const { sub, scope, sid } = await openToken(secrets, accountTokenClass, token);
  return {
    caller: sub,
    adminFields: scope === 'search thumb adminfields',
    mayEdit: scope === 'search thumb edit',
    ...(sid ? { sid } : {}),
  };
}
