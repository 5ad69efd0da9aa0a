import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { z } from 'zod';
import { serverLimits } from '#contract/limits.ts';
import type { OutsideLook, Warning } from '#contract/status.ts';
import { askOutside } from '#domain/networks/ask-outside.ts';
import { readDiscovery, type SecretPlace, secretPlaceOf } from '#domain/signin/discovery.ts';
import { isLoopback } from '#domain/signin/is-loopback.ts';
import type { OpenIdProvider, Provider } from '#domain/signin/providers.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import type { Config } from '../config.ts';
import { credentialNamesOf, signInProviders } from '../provider-settings.ts';

const minuteMs = 60 * 1_000;
const newAfterMs = 60 * minuteMs;

export interface Outlook {
  /** What was seen last; null before the first look. Looks again in the background at what is due. */
  seen(): OutsideLook | null;
  /** Looks now at what is due: each thing an hour after it was looked at, and sooner while somebody is told that it is at fault. */
  look(): Promise<OutsideLook | null>;
}

/** What stands outside of the archive: certificates that end, and providers that do not take our credentials any more. Nothing is asked before somebody wants to know. */
export function openOutlook(config: Config): Outlook {
  // A practice archive has nothing out there.
  if (config.practice) return { seen: () => null, look: async () => null };
  const lookOutside = watchOutside(config);
  let last: OutsideLook | null = null;
  let looking: Promise<OutsideLook> | undefined;
  const look = async () => {
    looking ??= lookOutside().finally(() => {
      looking = undefined;
    });
    last = await looking;
    return last;
  };
  return {
    look,
    seen: () => {
      void look();
      return last;
    },
  };
}

/** The look at everything that is due. It never throws: what cannot be seen is told as that. */
function watchOutside(config: Config): () => Promise<OutsideLook> {
  const openedMs = Date.now();
  const providers = signInProviders(config);
  const addresses = [config.publicUrl, ...providers.map(placeOf)].filter((address) => address.startsWith('https:'));
  const hosts = new Map(addresses.map((address) => [new URL(address).host, new URL(address)]));
  const certificates = [...hosts].map(([of, url]) =>
    lookWhenDue(
      async (): Promise<Certificate> => ({ of, isOwn: url.origin === config.publicUrl, ...(await seeCertificate(url)) }),
      // One that cannot be seen from here is a hint that nobody is sent.
      (certificate, atMs) => certificate.fault !== null && checkCertificateEnd(certificate, atMs) !== null,
    ),
  );
  const credentials = providers.map((provider) =>
    lookWhenDue(
      async () => ({ id: provider.id, ...(await tryCredentials(provider)) }),
      ({ fault }) => fault !== null,
    ),
  );
  return async () => {
    const nowMs = Date.now();
    const [seen, tried] = await Promise.all([
      Promise.all(certificates.map((look) => look(nowMs))),
      Promise.all(credentials.map((look) => look(nowMs))),
    ]);
    const atMs = Math.max(openedMs, ...[...seen, ...tried].map((one) => one.atMs));
    return { at: new Date(atMs).toISOString(), certificates: seen.map((one) => one.seen), providers: tried.map((one) => one.seen) };
  };
}

interface Looked<T> {
  readonly seen: T;
  readonly atMs: number;
  /** When it was first seen at fault, of all the looks in a row that saw it so. */
  readonly faultSinceMs: number | null;
}

/** Looks at one thing when that is due, and otherwise tells what was seen last. */
function lookWhenDue<T>(see: () => Promise<T>, isAtFault: (seen: T, atMs: number) => boolean): (nowMs: number) => Promise<Looked<T>> {
  let last: Looked<T> | undefined;
  return async (nowMs) => {
    if (last && nowMs - last.atMs < waitMsAfter(last)) return last;
    const seen = await see();
    last = { seen, atMs: nowMs, faultSinceMs: isAtFault(seen, nowMs) ? (last?.faultSinceMs ?? nowMs) : null };
    return last;
  };
}

/**
 * What is at fault is looked at again after as long as it has been so: after 2, 4, 8 minutes, and once an hour in the end, since providers
 * count credentials that they refuse. Before that after a minute, which is less than passes between two looks for alerts: a network that is
 * away for a moment is at fault in one of them only.
 */
function waitMsAfter({ atMs, faultSinceMs }: Looked<unknown>): number {
  if (faultSinceMs === null) return newAfterMs;
  const forMs = atMs - faultSinceMs;
  return forMs < 2 * minuteMs ? minuteMs : Math.min(forMs, newAfterMs);
}

function placeOf(provider: Provider): string {
  return provider.protocol === 'openid' ? provider.discoveryUrl : provider.tokenUrl;
}

type Certificate = OutsideLook['certificates'][number];
type SeenCertificate = Omit<Certificate, 'of' | 'isOwn'>;

const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * How near the archive's own certificate is to its end; null where there is time. A short one is renewed late in its life, so that the
 * limits are shares of it: a quarter and a tenth, and of long ones 21 and 7 days.
 */
export function checkCertificateEnd({ isOwn, startsAt, endsAt }: Certificate, atMs: number): { leftMs: number; is: 'bad' | 'hint' } | null {
  if (!isOwn || endsAt === null) return null;
  const leftMs = Date.parse(endsAt) - atMs;
  const lifetimeMs = startsAt === null ? Number.POSITIVE_INFINITY : Date.parse(endsAt) - Date.parse(startsAt);
  if (leftMs < Math.min(lifetimeMs / 10, 7 * dayMs)) return { leftMs, is: 'bad' };
  return leftMs < Math.min(lifetimeMs / 4, 21 * dayMs) ? { leftMs, is: 'hint' } : null;
}

/** What an operator should know of what stands outside. */
export function warnOfOutside(outside: OutsideLook, atMs: number): Warning[] {
  const certificates = outside.certificates.flatMap((certificate): Warning[] => {
    const { of, fault } = certificate;
    const ends = checkCertificateEnd(certificate, atMs);
    const whatToDo = `Renew it where ${of} is served; certbot and Caddy do this automatically while they run.`;
    if (ends) {
      const when = ends.leftMs < 0 ? 'has expired' : `expires in ${describeTimeLeft(ends.leftMs)}`;
      return [{ about: `certificate-${of}`, is: ends.is, says: `The certificate of ${of} ${when}.`, whatToDo }];
    }
    if (fault === null) return [];
    const look = 'Open that address from another machine: this server may be unable to reach it from inside.';
    const says = `The certificate of ${of} could not be verified from here: ${fault}.`;
    return [{ about: `unverified-${of}`, is: 'hint', says, whatToDo: look }];
  });
  const providers = outside.providers.flatMap(({ id, fault, isRejecting }): Warning[] => {
    if (fault === null) return [];
    const whatToDo = isRejecting
      ? `Compare ${credentialNamesOf(id).join(' and ')} with what the provider shows, create a new secret if that one has expired, and restart.`
      : 'Check that this machine reaches it (DNS, firewall, proxy), and what the provider says of its own service; id and secret need no change.';
    return [{ about: `provider-${id}`, is: 'bad', says: `Nobody can sign in with ${id}: ${fault}.`, whatToDo }];
  });
  return [...certificates, ...providers];
}

function describeTimeLeft(ms: number): string {
  const [days, hours] = [Math.floor(ms / dayMs), Math.ceil(ms / hourMs)];
  if (days >= 2) return `${days} days`;
  return hours === 1 ? 'an hour' : `${hours} hours`;
}

/** From when until when the certificate at an address is good; one that browsers would not take is told with the reason. */
function seeCertificate({ hostname, port }: URL): Promise<SeenCertificate> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    // It is looked at whatever it is; nothing is sent.
    const socket = connect({
      host,
      port: Number(port || 443),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      rejectUnauthorized: false,
      timeout: serverLimits.outsideAnswersWithinMs,
    });
    const end = (seen: SeenCertificate) => {
      socket.destroy();
      resolve(seen);
    };
    socket.once('timeout', () => end({ startsAt: null, endsAt: null, fault: 'it did not answer within ten seconds' }));
    socket.once('error', (error) => end({ startsAt: null, endsAt: null, fault: error.message }));
    socket.once('secureConnect', () => {
      const { valid_from, valid_to } = socket.getPeerCertificate();
      end({
        startsAt: instantOf(valid_from),
        endsAt: instantOf(valid_to),
        fault: socket.authorized || isLoopback(host) ? null : String(socket.authorizationError),
      });
    });
  });
}

function instantOf(text: string): string | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

const Refusal = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

type Tried = Omit<OutsideLook['providers'][number], 'id'>;

/** Why a provider does not take our credentials, or was not asked. It is asked for a token by a code that nobody was given: whoever knows us refuses the code, and not us. */
async function tryCredentials(provider: Provider): Promise<Tried> {
  const signal = AbortSignal.timeout(serverLimits.outsideAnswersWithinMs);
  try {
    const { tokenUrl, secretIn } = provider.protocol === 'openid' ? await findTokenUrl(provider, signal) : provider;
    const { clientId, clientSecret } = provider;
    const inHeader = secretIn === 'header';
    const form = { grant_type: 'authorization_code', code: 'none', redirect_uri: 'https://archive.invalid/' };
    const credentials = { client_id: clientId, client_secret: clientSecret };
    const answer = await askOutside(tokenUrl, {
      method: 'POST',
      redirect: 'error',
      signal,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(inHeader && { authorization: `Basic ${Buffer.from([clientId, clientSecret].map(encodeAsForm).join(':')).toString('base64')}` }),
      },
      body: new URLSearchParams({ ...form, ...(!inHeader && credentials) }),
    });
    const said = Refusal.safeParse(await answer.json().catch(() => null)).data?.error ?? '';
    return faultOf(answer.status, typeof said === 'string' ? said : said.message);
  } catch (error) {
    const fault = `it cannot be asked: ${errorMessageOf(error instanceof Error && error.cause ? error.cause : error)}`;
    return { fault, isRejecting: false };
  }
}

/** As RFC 6749 (2.3.1) has both written before they are joined. */
function encodeAsForm(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

async function findTokenUrl(provider: OpenIdProvider, signal: AbortSignal): Promise<{ tokenUrl: string; secretIn: SecretPlace }> {
  const document = await readDiscovery(provider.discoveryUrl, { signal });
  return { tokenUrl: document.token_endpoint, secretIn: provider.issuer === undefined ? 'body' : secretPlaceOf(document) };
}

/** What says that it is we who are refused. */
const refusesUs = /invalid_client|unauthorized_client|client[ _]secret|validating application/i;

function faultOf(status: number, said: string): Tried {
  if (status >= 500) return { fault: `it answers ${status}`, isRejecting: false };
  const isRejecting = status === 401 || refusesUs.test(said);
  return { fault: isRejecting ? `it rejects the archive’s id and secret (${said || status})` : null, isRejecting };
}
