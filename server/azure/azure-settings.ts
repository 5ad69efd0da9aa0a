import { z } from 'zod';

/** An account of Azure AI Video Indexer that has the films in the place of this archive, and what tokens for it are asked for with. */
export interface AzureSettings {
  readonly location: string;
  readonly accountId: string;
  readonly apiBase: string;
  /** Where the player and the insights of its films lie. */
  readonly widgetBase: string;
  readonly credentials: AccountKey | Principal;
}

/** Of a classic account or one on trial: its key changes for tokens at the service itself. */
interface AccountKey {
  readonly by: 'key';
  readonly key: string;
}

/** Of an account in a subscription of Azure: somebody there who may read it, and where it lies. */
export interface Principal {
  readonly by: 'principal';
  readonly tenant: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Path of the account at the management of Azure. */
  readonly account: string;
  readonly loginBase: string;
  readonly managementBase: string;
}

const parseAddress = (known: string) => z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).default(known);
const name = z.string().default('');

const Environment = z.object({
  VIDEO_SERVICE: z.enum(['embedded', 'azure'], 'must be embedded or azure').default('embedded'),
  AZURE_LOCATION: z
    .string()
    .regex(/^[a-z0-9]*$/i, 'must be a region such as westeurope, or trial')
    .default(''),
  AZURE_ACCOUNT_ID: z.union([z.literal(''), z.guid('must be a GUID')]).default(''),
  AZURE_KEY: name,
  AZURE_TENANT_ID: name,
  AZURE_CLIENT_ID: name,
  AZURE_CLIENT_SECRET: name,
  AZURE_SUBSCRIPTION_ID: name,
  AZURE_RESOURCE_GROUP: name,
  AZURE_ACCOUNT_NAME: name,
  // Other clouds of Azure have the same services under other names.
  AZURE_API_BASE: parseAddress('https://api.videoindexer.ai'),
  AZURE_WIDGET_BASE: parseAddress('https://www.videoindexer.ai'),
  AZURE_LOGIN_BASE: parseAddress('https://login.microsoftonline.com'),
  AZURE_MANAGEMENT_BASE: parseAddress('https://management.azure.com'),
});

const ofPrincipal = [
  'AZURE_TENANT_ID',
  'AZURE_CLIENT_ID',
  'AZURE_CLIENT_SECRET',
  'AZURE_SUBSCRIPTION_ID',
  'AZURE_RESOURCE_GROUP',
  'AZURE_ACCOUNT_NAME',
] as const;

/** Reads which service has the films: null for this archive itself. `faults` are lines to be printed; no secret stands in them. */
export function readAzureSettings(environment: Record<string, string | undefined>): { azure: AzureSettings | null; faults: string[] } {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success)
    return { azure: null, faults: parsed.error.issues.map(({ path: [variable], message }) => `${String(variable)} ${message}`) };
  const env = parsed.data;
  if (env.VIDEO_SERVICE === 'embedded') return { azure: null, faults: [] };
  const missing = [...(['AZURE_LOCATION', 'AZURE_ACCOUNT_ID'] as const), ...(env.AZURE_KEY ? [] : ofPrincipal)].filter((one) => !env[one]);
  if (missing.length > 0) {
    const or = env.AZURE_KEY || missing.length < ofPrincipal.length ? '' : ', or AZURE_KEY alone for a classic account';
    return { azure: null, faults: [`VIDEO_SERVICE=azure needs ${missing.join(', ')}${or}`] };
  }
  const scope = [
    'subscriptions',
    env.AZURE_SUBSCRIPTION_ID,
    'resourceGroups',
    env.AZURE_RESOURCE_GROUP,
    'providers',
    'Microsoft.VideoIndexer',
  ];
  return {
    azure: {
      location: env.AZURE_LOCATION.toLowerCase(),
      accountId: env.AZURE_ACCOUNT_ID.toLowerCase(),
      apiBase: new URL(env.AZURE_API_BASE).origin,
      widgetBase: new URL(env.AZURE_WIDGET_BASE).origin,
      credentials: env.AZURE_KEY
        ? { by: 'key', key: env.AZURE_KEY }
        : {
            by: 'principal',
            tenant: env.AZURE_TENANT_ID,
            clientId: env.AZURE_CLIENT_ID,
            clientSecret: env.AZURE_CLIENT_SECRET,
            account: `/${[...scope, 'accounts', env.AZURE_ACCOUNT_NAME].map(encodeURIComponent).join('/')}`,
            loginBase: new URL(env.AZURE_LOGIN_BASE).origin,
            managementBase: new URL(env.AZURE_MANAGEMENT_BASE).origin,
          },
    },
    faults: [],
  };
}
