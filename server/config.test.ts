import { expect, test } from 'vitest';
import { ConfigFault, environmentOfWorker, readConfig } from './config.ts';

test('with nothing set an archive is a practice archive of this machine', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    practice: true,
    publicUrl: 'http://localhost:4000',
    listen: { host: 'localhost', port: 4_000 },
    roles: 'both',
    providers: [],
  });
});

test('a public address ends practice mode and opens the listener', () => {
  const config = readConfig({ RUSHES_PUBLIC_URL: 'https://archive.example/', PORT: '8080' });
  expect(config).toMatchObject({ practice: false, publicUrl: 'https://archive.example', listen: { host: '0.0.0.0', port: 8_080 } });
});

test('a public address without encryption is taken only when that is asked for', () => {
  expect(faults({ RUSHES_PUBLIC_URL: 'http://archive.example' })).toHaveLength(1);
  expect(readConfig({ RUSHES_PUBLIC_URL: 'http://archive.example', RUSHES_INSECURE_HTTP: '1' }).practice).toBe(false);
  expect(readConfig({ RUSHES_PUBLIC_URL: 'http://localhost:4000' }).practice).toBe(false);
});

test('every fault is listed at once, and a password never', () => {
  const lines = faults({
    PORT: 'four',
    RUSHES_ROLES: 'all',
    RUSHES_DATA: '',
    DATABASE_URL: 'mysql://user:secret@host/db',
    RUSHES_INSECURE_HTTP: 'yes',
    // As openssl writes it, with one letter too many.
    RUSHES_SECRETS_KEY: 'hushhushhushhushhushhushhushhushhushhushhus=',
  });
  expect(lines.map((line) => line.split(' ')[0])).toEqual([
    'PORT',
    'RUSHES_DATA',
    'DATABASE_URL',
    'RUSHES_SECRETS_KEY',
    'RUSHES_INSECURE_HTTP',
    'RUSHES_ROLES',
  ]);
  expect(lines.join()).not.toMatch(/secret@|hush/);
});

test('a server that does only one half needs a database that the other half reaches too', () => {
  for (const RUSHES_ROLES of ['web', 'ingest']) {
    expect(faults({ RUSHES_ROLES })).toEqual([
      expect.stringMatching(/^RUSHES_ROLES=(web|ingest) needs .+: name one by DATABASE_URL, or leave/),
    ]);
    expect(readConfig({ RUSHES_ROLES, DATABASE_URL: 'postgres://app@db.example/rushes' }).roles).toBe(RUSHES_ROLES);
  }
});

test('a store is named as a whole or not at all, and no line tells its keys', () => {
  const named = { RUSHES_S3_ENDPOINT: 'https://s3.example', RUSHES_S3_BUCKET: 'films', RUSHES_S3_ACCESS_KEY: 'key' };
  expect(faults(named)).toEqual([expect.stringMatching(/^RUSHES_S3_SECRET_KEY is missing: a store needs all of RUSHES_S3_ENDPOINT, /)]);
  expect(faults({ ...named, RUSHES_S3_BUCKET: 'Films/2026' })).toEqual([expect.stringMatching(/^RUSHES_S3_BUCKET must be the name/)]);
  const { s3 } = readConfig({ ...named, RUSHES_S3_SECRET_KEY: 'secret' });
  expect(s3).toMatchObject({ endpoint: 'https://s3.example', bucket: 'films', region: 'us-east-1', pathStyle: true });
  expect(readConfig({}).s3).toBe(undefined);
});

test('a proxy is an address, a network or one of three names, and anything else is told before the start', () => {
  const RUSHES_TRUST_PROXY = '127.0.0.1, 10.0.0.0/8,::1 , fc00::/7, loopback,linklocal,uniquelocal,';
  expect(readConfig({ RUSHES_TRUST_PROXY }).trustedProxies).toHaveLength(7);
  for (const wrong of ['proxy.example', '10.0.0.0/33', '0.0.0.0/0', '::1/129', '10.0.0.0/', '127.0.0.1:8080', 'true', '1'])
    expect(faults({ RUSHES_TRUST_PROXY: `127.0.0.1,${wrong}` })).toEqual([
      expect.stringMatching(/^RUSHES_TRUST_PROXY must name addresses/),
    ]);
});

test('a way past a pooler needs the database that the pooler leads to', () => {
  const DATABASE_DIRECT_URL = 'postgres://app@db.example:5432/rushes';
  expect(faults({ DATABASE_DIRECT_URL })).toEqual([expect.stringMatching(/^DATABASE_DIRECT_URL is the way past a pooler .+: set both/)]);
  expect(readConfig({ DATABASE_DIRECT_URL, DATABASE_URL: 'postgres://app@pool.example/rushes' })).toMatchObject({
    databaseDirectUrl: DATABASE_DIRECT_URL,
  });
});

test('what an operator vouches for is off unless it is said', () => {
  expect(readConfig({})).toMatchObject({ allowsFuse: false, migratesWithoutBackup: false });
  const said = { RUSHES_ALLOW_FUSE: '1', RUSHES_MIGRATE_WITHOUT_BACKUP: '1' };
  expect(readConfig(said)).toMatchObject({ allowsFuse: true, migratesWithoutBackup: true });
});

test('a provider is offered when both of its credentials are there, and half of them is a fault', () => {
  const google = { GOOGLE_CLIENT_ID: 'a', GOOGLE_CLIENT_SECRET: 'b' };
  expect(readConfig({ ...google, FACEBOOK_CLIENT_ID: '' }).providers).toEqual([{ id: 'google', clientId: 'a', clientSecret: 'b' }]);
  expect(faults({ ...google, FACEBOOK_CLIENT_ID: 'c' })).toEqual([
    'FACEBOOK_CLIENT_SECRET is missing: a provider needs both FACEBOOK_CLIENT_ID and FACEBOOK_CLIENT_SECRET',
  ]);
});

test('a provider that the operator names needs a name, an issuer and both credentials, and its issuer https', () => {
  const own = {
    RUSHES_OIDC_NAME: 'Harbour',
    RUSHES_OIDC_ISSUER: 'https://id.example/realm',
    RUSHES_OIDC_CLIENT_ID: 'a',
    RUSHES_OIDC_CLIENT_SECRET: 'b',
  };
  expect(readConfig(own)).toMatchObject({
    providers: [{ id: 'oidc', clientId: 'a', clientSecret: 'b' }],
    operatorsProvider: { name: 'Harbour', issuer: 'https://id.example/realm', provesEmail: false },
  });
  expect(readConfig({ ...own, RUSHES_OIDC_PROVES_EMAIL: '1' }).operatorsProvider?.provesEmail).toBe(true);
  for (const name of Object.keys(own)) expect(faults({ ...own, [name]: '' })).toHaveLength(1);
  for (const RUSHES_OIDC_ISSUER of ['http://id.example', 'id.example', 'https://id.example?x'])
    expect(faults({ ...own, RUSHES_OIDC_ISSUER })).toHaveLength(1);
});

test('Microsoft accounts are personal ones unless a tenant is named', () => {
  expect(readConfig({}).microsoftTenant).toBe('9188040d-6c67-4c5b-b112-36a304b66dad');
  expect(readConfig({ MICROSOFT_TENANT: 'Archive.onmicrosoft.com' }).microsoftTenant).toBe('archive.onmicrosoft.com');
  for (const MICROSOFT_TENANT of ['../common', 'a/b', 'x?y']) expect(faults({ MICROSOFT_TENANT })).toHaveLength(1);
});

test('a stand-in for the providers is taken on this machine only, for an archive of this machine only', () => {
  const standIn = 'http://127.0.0.1:4100';
  expect(readConfig({ RUSHES_SIGN_IN_STAND_IN: standIn, RUSHES_PUBLIC_URL: 'http://localhost:4000' }).signInStandIn).toBe(standIn);
  expect(faults({ RUSHES_SIGN_IN_STAND_IN: standIn, RUSHES_PUBLIC_URL: 'https://archive.example' })).toHaveLength(1);
  expect(faults({ RUSHES_SIGN_IN_STAND_IN: 'https://sign-in.example', RUSHES_PUBLIC_URL: 'http://localhost:4000' })).toHaveLength(1);
  expect(faults({ RUSHES_SIGN_IN_STAND_IN: 'http://127.0.0.1.evil.example' })).toHaveLength(1);
});

function faults(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigFault) return error.lines;
    throw error;
  }
}

test('the worker is started with all settings but for what opens the secrets', () => {
  const settings = { DATABASE_URL: 'postgres://app@db.example/rushes', RUSHES_SECRETS_KEY: 'A'.repeat(43) };
  expect(environmentOfWorker(settings)).toEqual({ DATABASE_URL: settings.DATABASE_URL, RUSHES_SECRETS_KEY: undefined });
});
