/** A provider that people sign in with, by OpenID Connect. */
export interface Provider {
  readonly id: string;
  readonly discoveryUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whether its `email_verified` is worth anything: addresses are matched to known people only then. */
  readonly provesEmail: boolean;
  /** Makes the provider ask which account to use instead of taking the last one. */
  readonly prompt: 'select_account' | 'login';
}

const known: Readonly<Record<string, Pick<Provider, 'discoveryUrl' | 'provesEmail' | 'prompt'>>> = {
  google: { discoveryUrl: 'https://accounts.google.com/.well-known/openid-configuration', provesEmail: true, prompt: 'select_account' },
  // Personal accounts: the one tenant whose issuer is the same for everybody. Anybody may claim any address there.
  microsoft: {
    discoveryUrl: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0/.well-known/openid-configuration',
    provesEmail: false,
    prompt: 'select_account',
  },
};

type Credentials = Pick<Provider, 'id' | 'clientId' | 'clientSecret'>;

/** The providers that can be offered with these credentials. */
export function knownProviders<C extends Credentials>(credentials: readonly C[]): (C & Provider)[] {
  return credentials.flatMap((credential) => {
    const provider = known[credential.id];
    return provider ? [{ ...credential, ...provider }] : [];
  });
}
