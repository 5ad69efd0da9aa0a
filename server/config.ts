import { join, resolve } from 'node:path';
import { z } from 'zod';
import { providerIds } from '#contract/archive.ts';

const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value <= max, `must be at most ${max}`);
const switchOn = z.enum(['0', '1'], 'must be 0 or 1').transform((value) => value === '1');
const base = z.union([z.literal(''), z.url({ protocol: /^https?$/, error: 'must be an http or https address' })]);
const credentials = { clientId: z.string().default(''), clientSecret: z.string().default('') };

/** Every variable that the web process reads; a name that is missing takes the default written here. */
const Environment = z.object({
  PORT: wholeNumber(65_535).default(4_000),
  RUSHES_DATA: z.string().min(1, 'must name a folder').default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must begin with postgres://' }).optional(),
  RUSHES_PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be the http or https address of the archive' }).optional(),
  RUSHES_INSECURE_HTTP: switchOn.default(false),
  /** Address to listen on outside practice mode. */
  RUSHES_LISTEN: z.string().min(1).default('0.0.0.0'),
  /** Addresses of proxies whose X-Forwarded-For is believed, parted by commas. */
  RUSHES_TRUST_PROXY: z.string().default(''),
  RUSHES_ROLES: z.enum(['web', 'ingest', 'both'], 'must be web, ingest or both').default('both'),
  /** Read by the worker; checked here as well, so that a start with a wrong one says so at once. */
  RUSHES_SAMPLES: switchOn.optional(),
  RUSHES_STRICT_INGEST: switchOn.optional(),
  RUSHES_ARCHIVE_CONFIG: z.string().min(1).default('archive.config.json'),
  /** Folder of pages that were built elsewhere; without it they are built at start when their sources have changed. */
  RUSHES_PAGES: z.string().min(1).optional(),
  RUSHES_DISK_RESERVE_MB: wholeNumber(999_999_999).default(512),
  RUSHES_LOG: z.enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error').default('warn'),
  RUSHES_LOCATION: z
    .string()
    .regex(/^[a-z0-9]{2,30}$/, 'must be 2 to 30 small letters or digits')
    .default('trial'),
  RUSHES_ACCOUNT_ID: z.guid('must be a GUID').default('7d0e1f52-6c3b-4a9e-9b1d-2f8a5c04e6d3'),
  RUSHES_VIDEO_SERVICE_BASE: base.default(''),
  RUSHES_WIDGET_BASE: base.default(''),
  RUSHES_FUNCTIONS_BASE: base.default(''),
  RUSHES_SEARCHES_PER_MINUTE: wholeNumber(9_999_999).default(1_200),
  RUSHES_SEARCH_BURST: wholeNumber(9_999_999).default(240),
  RUSHES_THUMBNAILS_PER_MINUTE: wholeNumber(9_999_999).default(6_000),
  RUSHES_THUMBNAIL_BURST: wholeNumber(9_999_999).default(1_200),
  RUSHES_TOKENS_PER_MINUTE: wholeNumber(9_999_999).default(600),
  RUSHES_TOKEN_BURST: wholeNumber(9_999_999).default(200),
  /** Different frames of one video that one network may open by an account token within an hour. */
  RUSHES_FRAMES_PER_VIDEO_HOUR: wholeNumber(9_999_999).default(40),
});

/** A bucket of `burst` requests that refills at `perMinute`. */
export interface RateLimit {
  readonly perMinute: number;
  readonly burst: number;
}

export interface ProviderCredentials {
  readonly id: (typeof providerIds)[number];
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Config {
  readonly dataFolder: string;
  readonly databaseUrl: string | undefined;
  /** No public address: loopback only, practice identity provider, banner. */
  readonly practice: boolean;
  /** Origin of every link that leaves this server, never taken from a request. */
  readonly publicUrl: string;
  readonly listen: { readonly host: string; readonly port: number };
  readonly trustedProxies: readonly string[];
  readonly roles: 'web' | 'ingest' | 'both';
  readonly archiveFile: string;
  readonly pagesFolder: string;
  readonly pagesAreBuiltElsewhere: boolean;
  readonly diskReserveBytes: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly videoService: {
    readonly location: string;
    readonly accountId: string;
    readonly videoServiceBase: string;
    readonly widgetBase: string;
    readonly functionsBase: string;
  };
  readonly rateLimits: { readonly search: RateLimit; readonly thumbnails: RateLimit; readonly tokens: RateLimit };
  readonly framesPerVideoHour: number;
  readonly providers: readonly ProviderCredentials[];
  /** The npm script that runs this process, if one does. */
  readonly npmLifecycleEvent: string | undefined;
}

/** Thrown with one line for each fault of the environment, ready to be printed. */
export class ConfigFault extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigFault';
    this.lines = lines;
  }
}

/** Reads the settings of the web process; throws a ConfigFault that lists everything wrong with them at once. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success) throw new ConfigFault(parsed.error.issues.map((issue) => faultLine(issue, environment)));
  const env = parsed.data;
  const faults = publicUrlFaults(env.RUSHES_PUBLIC_URL, env.RUSHES_INSECURE_HTTP);
  if (faults.length > 0) throw new ConfigFault(faults);
  const practice = env.RUSHES_PUBLIC_URL === undefined;
  return {
    dataFolder: resolve(env.RUSHES_DATA),
    databaseUrl: env.DATABASE_URL,
    practice,
    publicUrl: env.RUSHES_PUBLIC_URL ? new URL(env.RUSHES_PUBLIC_URL).origin : `http://localhost:${env.PORT}`,
    listen: { host: practice ? 'localhost' : env.RUSHES_LISTEN, port: env.PORT },
    trustedProxies: env.RUSHES_TRUST_PROXY.split(',')
      .map((address) => address.trim())
      .filter(Boolean),
    roles: env.RUSHES_ROLES,
    archiveFile: resolve(env.RUSHES_ARCHIVE_CONFIG),
    pagesFolder: env.RUSHES_PAGES ? resolve(env.RUSHES_PAGES) : join(import.meta.dirname, '..', 'dist', 'web'),
    pagesAreBuiltElsewhere: env.RUSHES_PAGES !== undefined,
    diskReserveBytes: env.RUSHES_DISK_RESERVE_MB * 1_048_576,
    logLevel: env.RUSHES_LOG,
    videoService: {
      location: env.RUSHES_LOCATION,
      accountId: env.RUSHES_ACCOUNT_ID.toLowerCase(),
      videoServiceBase: env.RUSHES_VIDEO_SERVICE_BASE,
      widgetBase: env.RUSHES_WIDGET_BASE,
      functionsBase: env.RUSHES_FUNCTIONS_BASE,
    },
    rateLimits: {
      search: { perMinute: env.RUSHES_SEARCHES_PER_MINUTE, burst: env.RUSHES_SEARCH_BURST },
      thumbnails: { perMinute: env.RUSHES_THUMBNAILS_PER_MINUTE, burst: env.RUSHES_THUMBNAIL_BURST },
      tokens: { perMinute: env.RUSHES_TOKENS_PER_MINUTE, burst: env.RUSHES_TOKEN_BURST },
    },
    framesPerVideoHour: env.RUSHES_FRAMES_PER_VIDEO_HOUR,
    providers: readProviders(environment),
    npmLifecycleEvent: environment.npm_lifecycle_event,
  };
}

/** `GOOGLE_CLIENT_ID` and `GOOGLE_CLIENT_SECRET`, and so on; a provider without both is not offered. */
function readProviders(environment: Record<string, string | undefined>): ProviderCredentials[] {
  return providerIds
    .map((id) => {
      const name = `${id.toUpperCase()}_CLIENT`;
      return { id, ...z.object(credentials).parse({ clientId: environment[`${name}_ID`], clientSecret: environment[`${name}_SECRET`] }) };
    })
    .filter((provider) => provider.clientId !== '' && provider.clientSecret !== '');
}

function faultLine(issue: z.core.$ZodIssue, environment: Record<string, string | undefined>): string {
  const name = String(issue.path[0]);
  const given = environment[name] ?? '';
  // An address may hold a password.
  const shown = name === 'DATABASE_URL' ? '' : ` (it is ${JSON.stringify(given.slice(0, 80))})`;
  return `${name} ${issue.message}${shown}`;
}

function publicUrlFaults(publicUrl: string | undefined, insecureAllowed: boolean): string[] {
  if (publicUrl === undefined) return [];
  const url = new URL(publicUrl);
  const faults: string[] = [];
  if (url.pathname !== '/' || url.search || url.hash || url.username)
    faults.push('RUSHES_PUBLIC_URL must be an address without path, such as https://archive.example');
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'http:' && !loopback && !insecureAllowed) {
    faults.push('RUSHES_PUBLIC_URL must be https; set RUSHES_INSECURE_HTTP=1 to run without encryption all the same');
  }
  return faults;
}
