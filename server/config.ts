import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Bucket } from '#contract/route.ts';
import { base, sharedEnvironment, switchOn, wholeNumberUpTo } from '#domain/archive/environment.ts';
import { readS3Settings, type S3Settings } from '#domain/files/s3/s3-settings.ts';
import type { OriginalsQuota } from '#domain/footage/originals-quota.ts';
import { EncoderLanguages, type EncoderSettings } from '#domain/meaning/encoder/choose-encoder.ts';
import { type OperatorsProvider, type ProviderCredentials, personalTenant } from '#domain/signin/providers.ts';
import { type LogLevel, logLevels } from '#domain/system/log.ts';
import type { SealingKey } from '#domain/tokens/sealed-secrets.ts';
import { parseEmail } from '#domain/users/email.ts';
import { type AzureSettings, readAzureSettings } from './azure/azure-settings.ts';
import { type CdnSettings, readCdnSettings } from './cdn-settings.ts';
import { findFaults } from './config-faults.ts';
import { listProviderFaults, readOperatorsProvider, readProviders } from './provider-settings.ts';

const mailAddress = z.string().refine((text) => parseEmail(text) === text, 'must be a plain e-mail address in small letters');

/** Servers, parted by commas. */
const origins = z
  .string()
  .transform((text) => text.split(',').flatMap((one) => one.trim() || []))
  .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must name servers such as https://media.example, parted by commas' })))
  .transform((all) => all.map((one) => new URL(one).origin));

/** Every variable that the web process reads; a name that is missing takes the default written here. */
const Environment = z.object({
  PORT: wholeNumberUpTo(65_535).default(4_000),
  ...sharedEnvironment,
  /** A file of secrets that all machines of an archive share. */
  RUSHES_SECRETS: z.string().min(1).optional(),
  /** Seals them, and then they lie in the database. */
  RUSHES_SECRETS_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be a key as npm run secrets -- new-key prints it')
    .transform((text) => new Uint8Array(Buffer.from(text, 'base64url')))
    .optional(),
  RUSHES_PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be the http or https address of the archive' }).optional(),
  RUSHES_INSECURE_HTTP: switchOn.default(false),
  /** Address to listen on outside practice mode. */
  RUSHES_LISTEN: z.string().min(1).default('0.0.0.0'),
  /** Addresses of proxies whose X-Forwarded-For is believed, parted by commas. */
  RUSHES_TRUST_PROXY: z.string().default(''),
  RUSHES_ROLES: z.enum(['web', 'ingest', 'both'], 'must be web, ingest or both').default('both'),
  RUSHES_ARCHIVE_CONFIG: z.string().min(1).default('archive.config.json'),
  /** Folder of pages that were built elsewhere; without it they are built at start when their sources have changed. */
  RUSHES_PAGES: z.string().min(1).optional(),
  /** What the originals of one editor may come to. */
  RUSHES_EDITOR_MAX_GB: wholeNumberUpTo(999_999_999).optional(),
  /** How large a file that is sent may be, and how much of one person's may be half-way at once. */
  RUSHES_UPLOAD_MAX_MB: wholeNumberUpTo(99_999_999).default(50_000),
  RUSHES_UPLOAD_QUOTA_MB: wholeNumberUpTo(999_999_999).default(200_000),
  /** Servers that films are fetched from, and those that are told of films, where a script asks for it. */
  RUSHES_FETCH_FROM: origins.default([]),
  RUSHES_CALL_BACK: origins.default([]),
  RUSHES_LOG: z.enum(logLevels, 'must be debug, info, warn or error').default('warn'),
  /** With it programs elsewhere read `/metrics`. */
  RUSHES_METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  RUSHES_LOCATION: z
    .string()
    .regex(/^[a-z0-9]{2,30}$/, 'must be 2 to 30 small letters or digits')
    .default('trial'),
  RUSHES_ACCOUNT_ID: z.guid('must be a GUID').default('7d0e1f52-6c3b-4a9e-9b1d-2f8a5c04e6d3'),
  RUSHES_VIDEO_SERVICE_BASE: base.default(''),
  RUSHES_WIDGET_BASE: base.default(''),
  RUSHES_FUNCTIONS_BASE: base.default(''),
  RUSHES_SEARCHES_PER_MINUTE: wholeNumberUpTo(9_999_999).default(1_200),
  RUSHES_SEARCH_BURST: wholeNumberUpTo(9_999_999).default(240),
  RUSHES_THUMBNAILS_PER_MINUTE: wholeNumberUpTo(9_999_999).default(6_000),
  RUSHES_THUMBNAIL_BURST: wholeNumberUpTo(9_999_999).default(1_200),
  RUSHES_TOKENS_PER_MINUTE: wholeNumberUpTo(9_999_999).default(600),
  RUSHES_TOKEN_BURST: wholeNumberUpTo(9_999_999).default(200),
  /** Sign-in links that one network, and everybody together, may ask for within 15 minutes. */
  RUSHES_LINKS_PER_NETWORK: wholeNumberUpTo(9_999_999).default(10),
  RUSHES_LINKS_IN_ALL: wholeNumberUpTo(9_999_999).default(500),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must begin with smtp:// or smtps://' }).optional(),
  /** Sender of every e-mail; `no-reply` at the host of the public address when missing. */
  RUSHES_MAIL_FROM: mailAddress.optional(),
  /** Whether administrators hear by e-mail that somebody signed up, and people that they were activated. */
  RUSHES_MAIL_SIGN_UPS: switchOn.default(true),
  RUSHES_MAIL_ACTIVATIONS: switchOn.default(true),
  /** Who hears of what needs somebody: an address, and a server that takes it as JSON. */
  RUSHES_ALERT_MAIL: mailAddress.optional(),
  RUSHES_ALERT_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  /** Whose Microsoft accounts may sign in: a tenant, or `common`, `organizations` or `consumers`. */
  MICROSOFT_TENANT: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{2,252}$/i, 'must be a tenant id or domain, common, organizations or consumers')
    .default(personalTenant)
    .transform((tenant) => tenant.toLowerCase()),
  /** Address on this machine of a server that stands in for every provider, each under its own name; for trying things out. */
  RUSHES_SIGN_IN_STAND_IN: base.default(''),
  /** Different frames of one video that one network may open by an account token within an hour. */
  RUSHES_FRAMES_PER_VIDEO_HOUR: wholeNumberUpTo(9_999_999).default(40),
  /** Connections that one network keeps open at a time. */
  RUSHES_CONNECTIONS_PER_NETWORK: wholeNumberUpTo(9_999_999).default(400),
  /** Different lines of one video, said or written, that one network may read in search answers within an hour without being allowed to watch. */
  RUSHES_LINES_PER_VIDEO_HOUR: wholeNumberUpTo(9_999_999).default(40),
  /** What a server keeps of searches for the next ones. */
  RUSHES_SEARCH_MEMORY_MB: wholeNumberUpTo(9_999_999).default(256),
  RUSHES_MEANING: switchOn.default(true),
  RUSHES_MEANING_MODEL: z.string().optional(),
  RUSHES_MEANING_LANGUAGES: EncoderLanguages,
});

/** A bucket of `burst` requests that refills at `perMinute`. */
export type RateLimit = Readonly<Record<'perMinute' | 'burst', number>>;

interface MailConfig {
  /** The mail server; none: nothing is sent. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
  readonly tellsOfSignUps: boolean;
  readonly tellsOfActivations: boolean;
}

export interface Config {
  readonly dataFolder: string;
  readonly databaseUrl: string | undefined;
  /** Past a pooler; none: DATABASE_URL leads there. */
  readonly databaseDirectUrl: string | undefined;
  /** The secrets that all machines share; none: those of the data folder. */
  readonly secretsFile: string | undefined;
  /** Opens those that lie in the database; none: they lie in a file. */
  readonly secretsKey: SealingKey | undefined;
  /** The store of media; none: they lie in the data folder. */
  readonly s3: S3Settings | undefined;
  readonly allowsFuse: boolean;
  readonly migratesWithoutBackup: boolean;
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
  readonly quota: OriginalsQuota;
  readonly uploads: { readonly fileMaxBytes: number; readonly unfinishedMaxBytes: number };
  /** Servers that films are fetched from, and that are told of films, by their origins. */
  readonly otherServers: { readonly fetchedFrom: readonly string[]; readonly told: readonly string[] };
  readonly metricsToken: string | undefined;
  /** What a content delivery network in front takes cookies by; none: there is none that keeps segments. */
  readonly cdn: CdnSettings | undefined;
  readonly logLevel: LogLevel;
  /** The account at Azure that has the films in the place of this archive; null where it has them itself. */
  readonly azure: AzureSettings | null;
  readonly videoService: {
    readonly location: string;
    readonly accountId: string;
    readonly videoServiceBase: string;
    readonly widgetBase: string;
    readonly functionsBase: string;
  };
  readonly rateLimits: Readonly<Record<Bucket, RateLimit>>;
  readonly framesPerVideoHour: number;
  readonly linesPerVideoHour: number;
  readonly searchMemoryBytes: number;
  /** Whether what means the same answers where words answer badly. */
  readonly meaning: boolean;
  readonly encoder: EncoderSettings;
  readonly connectionsPerNetwork: number;
  readonly signInLinks: { readonly perNetwork: number; readonly inAll: number };
  readonly mail: MailConfig;
  readonly alerts: { readonly mail: string | undefined; readonly url: string | undefined };
  readonly providers: readonly ProviderCredentials[];
  /** What stands behind the provider `oidc`. */
  readonly operatorsProvider: OperatorsProvider | undefined;
  readonly microsoftTenant: string;
  /** Stands in for every provider; empty for the real ones. */
  readonly signInStandIn: string;
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
  if (!parsed.success) throw new ConfigFault(parsed.error.issues.map((issue) => describeFault(issue, environment)));
  const env = parsed.data;
  const { azure, faults: azureFaults } = readAzureSettings(environment);
  const store = readS3Settings(env);
  const { cdn, faults: cdnFaults } = readCdnSettings(environment);
  const faults = [...azureFaults, ...findFaults(env), ...listProviderFaults(environment), ...store.faults, ...cdnFaults];
  if (faults.length > 0) throw new ConfigFault(faults);
  const practice = env.RUSHES_PUBLIC_URL === undefined;
  return {
    dataFolder: resolve(env.RUSHES_DATA),
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    secretsFile: env.RUSHES_SECRETS && resolve(env.RUSHES_SECRETS),
    secretsKey: env.RUSHES_SECRETS_KEY,
    s3: store.s3,
    allowsFuse: env.RUSHES_ALLOW_FUSE,
    migratesWithoutBackup: env.RUSHES_MIGRATE_WITHOUT_BACKUP,
    practice,
    publicUrl: env.RUSHES_PUBLIC_URL ? new URL(env.RUSHES_PUBLIC_URL).origin : `http://localhost:${env.PORT}`,
    listen: { host: practice ? 'localhost' : env.RUSHES_LISTEN, port: env.PORT },
    trustedProxies: env.RUSHES_TRUST_PROXY.split(',').flatMap((address) => address.trim() || []),
    // There is nothing to ingest where another service has the films.
    roles: azure ? 'web' : env.RUSHES_ROLES,
    archiveFile: resolve(env.RUSHES_ARCHIVE_CONFIG),
    pagesFolder: env.RUSHES_PAGES ? resolve(env.RUSHES_PAGES) : join(import.meta.dirname, '..', 'dist', 'web'),
    pagesAreBuiltElsewhere: env.RUSHES_PAGES !== undefined,
    diskReserveBytes: env.RUSHES_DISK_RESERVE_MB * 1_000_000,
    quota: { archiveMaxBytes: bytesOf(env.RUSHES_STORE_MAX_GB), editorMaxBytes: bytesOf(env.RUSHES_EDITOR_MAX_GB) },
    uploads: { fileMaxBytes: env.RUSHES_UPLOAD_MAX_MB * 1_000_000, unfinishedMaxBytes: env.RUSHES_UPLOAD_QUOTA_MB * 1_000_000 },
    otherServers: { fetchedFrom: env.RUSHES_FETCH_FROM, told: env.RUSHES_CALL_BACK },
    metricsToken: env.RUSHES_METRICS_TOKEN,
    cdn,
    logLevel: env.RUSHES_LOG,
    azure,
    videoService: videoServiceOf(env, azure),
    rateLimits: rateLimitsOf(env),
    framesPerVideoHour: env.RUSHES_FRAMES_PER_VIDEO_HOUR,
    linesPerVideoHour: env.RUSHES_LINES_PER_VIDEO_HOUR,
    connectionsPerNetwork: env.RUSHES_CONNECTIONS_PER_NETWORK,
    searchMemoryBytes: env.RUSHES_SEARCH_MEMORY_MB * 1_000_000,
    meaning: env.RUSHES_MEANING,
    encoder: { model: env.RUSHES_MEANING_MODEL ? resolve(env.RUSHES_MEANING_MODEL) : undefined, languages: env.RUSHES_MEANING_LANGUAGES },
    signInLinks: { perNetwork: env.RUSHES_LINKS_PER_NETWORK, inAll: env.RUSHES_LINKS_IN_ALL },
    mail: {
      smtpUrl: env.SMTP_URL,
      from: env.RUSHES_MAIL_FROM ?? `no-reply@${new URL(env.RUSHES_PUBLIC_URL ?? 'http://localhost').hostname}`,
      tellsOfSignUps: env.RUSHES_MAIL_SIGN_UPS,
      tellsOfActivations: env.RUSHES_MAIL_ACTIVATIONS,
    },
    alerts: { mail: env.RUSHES_ALERT_MAIL, url: env.RUSHES_ALERT_URL },
    providers: readProviders(environment),
    operatorsProvider: readOperatorsProvider(environment),
    microsoftTenant: env.MICROSOFT_TENANT,
    signInStandIn: env.RUSHES_SIGN_IN_STAND_IN && new URL(env.RUSHES_SIGN_IN_STAND_IN).origin,
    npmLifecycleEvent: environment.npm_lifecycle_event,
  };
}

/** Without a number, and with 0, nothing bounds it. */
function bytesOf(gigabytes: number | undefined): number | undefined {
  return gigabytes ? gigabytes * 1e9 : undefined;
}

function rateLimitsOf(env: z.infer<typeof Environment>): Config['rateLimits'] {
  return {
    search: { perMinute: env.RUSHES_SEARCHES_PER_MINUTE, burst: env.RUSHES_SEARCH_BURST },
    thumbnails: { perMinute: env.RUSHES_THUMBNAILS_PER_MINUTE, burst: env.RUSHES_THUMBNAIL_BURST },
    tokens: { perMinute: env.RUSHES_TOKENS_PER_MINUTE, burst: env.RUSHES_TOKEN_BURST },
  };
}

function videoServiceOf(env: z.infer<typeof Environment>, azure: AzureSettings | null): Config['videoService'] {
  return {
    location: azure?.location ?? env.RUSHES_LOCATION,
    accountId: azure?.accountId ?? env.RUSHES_ACCOUNT_ID.toLowerCase(),
    videoServiceBase: env.RUSHES_VIDEO_SERVICE_BASE,
    widgetBase: azure?.widgetBase ?? env.RUSHES_WIDGET_BASE,
    functionsBase: env.RUSHES_FUNCTIONS_BASE,
  };
}

/** What the worker runs with: all that the server does, but for what opens its secrets. It reads what strangers made, and signs nothing. */
export function environmentOfWorker(environment: Record<string, string | undefined> = process.env): Record<string, string | undefined> {
  return { ...environment, RUSHES_SECRETS_KEY: undefined };
}

const hiddenValues = [
  ...['DATABASE_URL', 'DATABASE_DIRECT_URL', 'SMTP_URL', 'RUSHES_METRICS_TOKEN', 'RUSHES_ALERT_URL'],
  ...['RUSHES_S3_ACCESS_KEY', 'RUSHES_S3_SECRET_KEY', 'RUSHES_SECRETS_KEY'],
];

function describeFault(issue: z.core.$ZodIssue, environment: Record<string, string | undefined>): string {
  const name = String(issue.path[0]);
  const given = environment[name] ?? '';
  // An address may hold a password, and a token is one.
  const shown = hiddenValues.includes(name) ? '' : ` (it is ${JSON.stringify(given.slice(0, 80))})`;
  return `${name} ${issue.message}${shown}`;
}
