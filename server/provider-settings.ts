import { providerIds } from '#contract/archive.ts';
import { isLoopback } from '#domain/signin/is-loopback.ts';
import { listProviders, type OperatorsProvider, type Provider, type ProviderCredentials } from '#domain/signin/providers.ts';

type Environment = Record<string, string | undefined>;

/** `GOOGLE_CLIENT_ID` and `GOOGLE_CLIENT_SECRET`, and so on; a provider without both is not offered. */
export function readProviders(environment: Environment): ProviderCredentials[] {
  return providerIds
    .map((id) => {
      const [clientId, clientSecret] = credentialNamesOf(id).map((name) => environment[name] ?? '');
      return { id, clientId: clientId ?? '', clientSecret: clientSecret ?? '' };
    })
    .filter((provider) => provider.clientId !== '' && provider.clientSecret !== '');
}

const ownName = 'RUSHES_OIDC_NAME';
const ownIssuer = 'RUSHES_OIDC_ISSUER';
const ownProves = 'RUSHES_OIDC_PROVES_EMAIL';

/** The provider that the operator names by its issuer; undefined where they name none. */
export function readOperatorsProvider(environment: Environment): OperatorsProvider | undefined {
  const { [ownName]: name, [ownIssuer]: issuer } = environment;
  if (!name || !issuer) return undefined;
  return { name, issuer, provesEmail: environment[ownProves] === '1' };
}

/** What of the settings says who may sign people in. */
interface ProviderSettings {
  readonly providers: readonly ProviderCredentials[];
  readonly operatorsProvider: OperatorsProvider | undefined;
  readonly microsoftTenant: string;
  readonly signInStandIn: string;
}

/** The providers that these settings name. */
export function signInProviders({ providers, operatorsProvider, microsoftTenant, signInStandIn }: ProviderSettings): Provider[] {
  return listProviders(providers, { microsoftTenant, standIn: signInStandIn, operatorsProvider });
}

/** Half of what a provider needs is a slip, and the button that is missing then says nothing of it. */
export function listProviderFaults(environment: Environment): string[] {
  const halves = providerIds.flatMap((id) => {
    const names = id === 'oidc' ? [ownName, ownIssuer, ...credentialNamesOf(id)] : credentialNamesOf(id);
    const missing = names.filter((name) => !environment[name]);
    if (missing.length === 0 || missing.length === names.length) return [];
    return [`${missing.join(' and ')} is missing: a provider needs ${names.length === 2 ? 'both ' : ''}${names.join(' and ')}`];
  });
  return [...halves, ...checkIssuer(environment)];
}

function checkIssuer({ [ownIssuer]: issuer, [ownName]: name, [ownProves]: proves }: Environment): string[] {
  const faults: string[] = [];
  if (issuer) {
    const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
    if (
      !url ||
      url.search ||
      url.hash ||
      url.username ||
      (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    )
      faults.push(`${ownIssuer} must be the https address of the issuer, as its discovery document says it, without a query`);
  }
  if (name && (name.length > 40 || /\p{Cc}/u.test(name))) faults.push(`${ownName} must be a name of at most 40 letters`);
  if (proves !== undefined && proves !== '0' && proves !== '1') faults.push(`${ownProves} must be 0 or 1`);
  return faults;
}

/** What the credentials of a provider are called. */
export function credentialNamesOf(id: string): string[] {
  const prefix = id === 'oidc' ? 'RUSHES_OIDC' : id.toUpperCase();
  return ['ID', 'SECRET'].map((half) => `${prefix}_CLIENT_${half}`);
}
