import { isIP } from 'node:net';
import { isLoopback } from '#domain/signin/is-loopback.ts';

/** Settings that have to fit together, as they were read. */
interface Settings extends DatabaseSettings {
  readonly RUSHES_PUBLIC_URL?: string | undefined;
  readonly RUSHES_INSECURE_HTTP: boolean;
  readonly RUSHES_SIGN_IN_STAND_IN: string;
  readonly RUSHES_TRUST_PROXY: string;
  readonly RUSHES_ALERT_MAIL?: string | undefined;
  readonly SMTP_URL?: string | undefined;
}

interface DatabaseSettings {
  readonly RUSHES_ROLES: 'web' | 'ingest' | 'both';
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_DIRECT_URL?: string | undefined;
}

/** What is wrong with settings of which each by itself is as it should be, a line for each fault. */
export function findFaults(settings: Settings): string[] {
  const { RUSHES_PUBLIC_URL: publicUrl, RUSHES_ALERT_MAIL: alertMail } = settings;
  return [
    ...checkPublicUrl(publicUrl, settings.RUSHES_INSECURE_HTTP),
    ...standInFaults(settings.RUSHES_SIGN_IN_STAND_IN, publicUrl),
    ...checkDatabase(settings),
    ...checkProxies(settings.RUSHES_TRUST_PROXY),
    ...(alertMail && !settings.SMTP_URL ? ['RUSHES_ALERT_MAIL needs a mail server: set SMTP_URL'] : []),
  ];
}

function checkPublicUrl(publicUrl: string | undefined, insecureAllowed: boolean): string[] {
  if (publicUrl === undefined) return [];
  const url = new URL(publicUrl);
  const faults: string[] = [];
  if (url.pathname !== '/' || url.search || url.hash || url.username)
    faults.push('RUSHES_PUBLIC_URL must be an address without path, such as https://archive.example');
  if (url.protocol === 'http:' && !isHere(publicUrl) && !insecureAllowed) {
    faults.push('RUSHES_PUBLIC_URL must be https; set RUSHES_INSECURE_HTTP=1 to run without encryption anyway');
  }
  return faults;
}

/** Whoever stands in for the providers can sign in as anybody: only on a machine that nobody else reaches. */
function standInFaults(standIn: string, publicUrl: string | undefined): string[] {
  if (standIn === '' || (isHere(standIn) && (publicUrl === undefined || isHere(publicUrl)))) return [];
  return [
    'RUSHES_SIGN_IN_STAND_IN lets anybody in as anybody: it and RUSHES_PUBLIC_URL must be addresses of this machine, such as http://localhost:4000',
  ];
}

function checkProxies(proxies: string): string[] {
  const wrong = proxies.split(',').find((one) => one.trim() !== '' && !isProxy(one.trim()));
  if (wrong === undefined) return [];
  const shown = JSON.stringify(wrong.trim().slice(0, 80));
  return [
    `RUSHES_TRUST_PROXY must name addresses such as 127.0.0.1, networks such as 10.0.0.0/8, or loopback, linklocal or uniquelocal, parted by commas (one is ${shown})`,
  ];
}

function isProxy(text: string): boolean {
  if (/^(loopback|linklocal|uniquelocal)$/.test(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  // The whole world is no proxy.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** A PostgreSQL inside the archive ends with the server that started it, and others would be left without. */
function checkDatabase(env: DatabaseSettings): string[] {
  if (env.DATABASE_URL !== undefined) return [];
  if (env.RUSHES_ROLES !== 'both')
    return [
      `RUSHES_ROLES=${env.RUSHES_ROLES} needs a database that both sides reach: name one by DATABASE_URL, or leave RUSHES_ROLES out and let one server do both`,
    ];
  if (env.DATABASE_DIRECT_URL !== undefined)
    return ['DATABASE_DIRECT_URL is the way past a pooler to the database that DATABASE_URL names: set both, or neither'];
  return [];
}

function isHere(address: string): boolean {
  return isLoopback(new URL(address).hostname);
}
