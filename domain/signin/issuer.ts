import { type OpenIdProvider, type Provider, personalTenant, withoutSlash } from './providers.ts';

/** What an issuer's address says instead of a tenant where every tenant is an issuer of its own. */
const anyTenant = '{tenantid}';
const guid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Whether this issuer is many, of which a token names one: nobody can say beforehand which. */
export function isOfManyTenants(issuer: string): boolean {
  return issuer.includes(anyTenant);
}

/**
 * Whether the claims of a token, whose signature and audience are good, were made for us and by somebody who may: for our client,
 * by the issuer of the tenant that they name, and by a tenant that may sign in here.
 */
export function isIssuedForUs(claims: Record<string, unknown>, provider: OpenIdProvider, issuer: string): boolean {
  const { azp, tid, iss } = claims;
  if (azp !== undefined && azp !== provider.clientId) return false;
  if (isOfManyTenants(issuer)) {
    if (typeof tid !== 'string' || !guid.test(tid) || iss !== issuer.replace(anyTenant, tid)) return false;
    return provider.tenant !== 'organizations' || tid !== personalTenant;
  }
  const only = (guid.exec(issuer) ?? guid.exec(provider.tenant ?? ''))?.[0];
  return tid === undefined || only === undefined || tid === only;
}

/** Whether this is the issuer that the operator named. */
export function isIssuer({ issuer = '' }: OpenIdProvider, said: string | undefined): boolean {
  return said !== undefined && withoutSlash(said) === withoutSlash(issuer);
}

/** Whether a callback, when it says whose answer it is, names the place that the browser was sent to. */
export function isAnswerOf(provider: Provider, iss: string | null): boolean {
  if (iss === null) return true;
  if (provider.protocol === 'openid' && provider.issuer !== undefined) return isIssuer(provider, iss);
  const place = provider.protocol === 'openid' ? provider.discoveryUrl : provider.authorizationUrl;
  return URL.canParse(iss) && new URL(iss).origin === new URL(place).origin;
}
