import type { SignInWay } from '#contract/users.ts';

/** The ways of signing in, as people call them. */
export const signInWayNames: Readonly<Record<SignInWay, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
  facebook: 'Facebook',
  twitter: 'Twitter',
  email: 'E-mail link',
};
