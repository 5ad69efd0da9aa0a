import type { providerIds } from '#contract/archive.ts';

interface Common {
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  /** Answers who the owner of an access token is. */
  readonly userInfoUrl: string;
  /** Whether its `email_verified` is worth anything: addresses are matched to known people only then. */
  readonly provesEmail: boolean;
  /** Makes the provider ask which account to use instead of taking the last one. */
  readonly prompt?: 'select_account' | 'login';
}

/** Says by a signed token who somebody is, and in its discovery document where all else is. */
export interface OpenIdProvider extends Common {
  readonly protocol: 'openid';
  readonly discoveryUrl: string;
  /** Microsoft's: whose accounts may sign in. A tenant, or `common`, `organizations` or `consumers`. */
  readonly tenant?: string;
}

/** Gives a token with which it tells who somebody is, in a shape of its own. */
export interface OAuthProvider extends Common {
  readonly protocol: 'oauth';
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** How it wants to hear our secret: in a header, or in the body. */
  readonly secretIn: 'header' | 'body';
  readonly answersAs: 'facebook' | 'twitter';
}

/** A provider that people sign in with. */
export type Provider = OpenIdProvider | OAuthProvider;

/** By what a provider knows this archive. */
export interface ProviderCredentials {
  readonly id: (typeof providerIds)[number];
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Microsoft's tenant of personal accounts. */
export const personalTenant = '9188040d-6c67-4c5b-b112-36a304b66dad';

export const openIdScopes = ['openid', 'email', 'profile'];

/**
 * The providers that can be offered with these credentials. `standIn` is the address of a server on this machine that stands
 * in for all of them, each under its own name; empty for the real ones.
 */
export function knownProviders(
  credentials: readonly ProviderCredentials[],
  { microsoftTenant, standIn }: { microsoftTenant: string; standIn: string },
): Provider[] {
  const known = { google, microsoft: microsoft(microsoftTenant), facebook, twitter };
  return credentials.map((credential) => {
    const provider: Provider = { ...credential, ...known[credential.id] };
    return standIn ? at(provider, `${standIn}/${provider.id}`) : provider;
  });
}

type Known<P> = P extends Provider ? Omit<P, keyof ProviderCredentials> : never;

const google: Known<OpenIdProvider> = {
  protocol: 'openid',
  discoveryUrl: 'https://accounts.google.com/.well-known/openid-configuration',
  userInfoUrl: 'https://openidconnect.googleapis.com/v1/userinfo',
  scopes: openIdScopes,
  provesEmail: true,
  prompt: 'select_account',
};

/** Whoever runs a tenant may write any address into its accounts, and at the personal ones anybody may claim any. */
function microsoft(tenant: string): Known<OpenIdProvider> {
  return {
    protocol: 'openid',
    discoveryUrl: `https://login.microsoftonline.com/${tenant}/v2.0/.well-known/openid-configuration`,
    userInfoUrl: 'https://graph.microsoft.com/oidc/userinfo',
    scopes: openIdScopes,
    provesEmail: false,
    prompt: 'select_account',
    tenant,
  };
}

const facebook: Known<OAuthProvider> = {
  protocol: 'oauth',
  authorizationUrl: 'https://www.facebook.com/v24.0/dialog/oauth',
  tokenUrl: 'https://graph.facebook.com/v24.0/oauth/access_token',
  userInfoUrl: 'https://graph.facebook.com/v24.0/me?fields=id,name,email',
  scopes: ['email', 'public_profile'],
  secretIn: 'body',
  answersAs: 'facebook',
  provesEmail: false,
};

const twitter: Known<OAuthProvider> = {
  protocol: 'oauth',
  authorizationUrl: 'https://x.com/i/oauth2/authorize',
  tokenUrl: 'https://api.x.com/2/oauth2/token',
  userInfoUrl: 'https://api.x.com/2/users/me?user.fields=confirmed_email',
  // The first two belong together: who asks for a person is asked for both.
  scopes: ['users.read', 'tweet.read', 'users.email'],
  secretIn: 'header',
  answersAs: 'twitter',
  provesEmail: false,
};

function at(provider: Provider, base: string): Provider {
  const userInfoUrl = `${base}/me`;
  if (provider.protocol === 'openid') return { ...provider, userInfoUrl, discoveryUrl: `${base}/.well-known/openid-configuration` };
  return { ...provider, userInfoUrl, authorizationUrl: `${base}/auth`, tokenUrl: `${base}/token` };
}
