import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { limits } from '#contract/limits.ts';
import { routes } from '#contract/routes.ts';
import { settingsFaultCode } from '#domain/system/exit-codes.ts';
import { readBackupPlace, readIngestConfig } from '#ingest/config.ts';
import { readConfig } from '#server/config.ts';
import { findOnPath } from './find-on-path.ts';
import { findProgram, isMissing } from './find-program.ts';
import { madeCertificate } from './made-certificate.ts';
import { readCluster, readCompose, readImage, readUnit, shippedBackups, shippedFiles, shippedProcesses } from './shipped-processes.ts';

const root = resolve(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')));
/** What an operator adds to a unit. */
const settings = { DATABASE_URL: 'postgres://rushes:x@database.example/rushes', RUSHES_PUBLIC_URL: 'https://archive.example' };
const processes = shippedProcesses(settings);
const units = shippedFiles.filter(({ name }) => name.endsWith('.service'));

test('every setting that a shipped file or a page about running names is one that the server, the worker or a backup reads', () => {
  const backupPlace = (env: Record<string, string | undefined>) =>
    expect(() => readBackupPlace('s3://bucket', env)).toThrow('its server is not named');
  const known = new Set([...namesRead(readConfig), ...namesRead(readIngestConfig), ...namesRead(backupPlace)]);
  const texts = [...shippedFiles, ...['docs/operations.md', 'docs/scaling.md'].map((name) => ({ name, text: read(name) }))];
  const named = texts.flatMap(({ name, text }) =>
    [...text.matchAll(/\b(RUSHES_[A-Z0-9_]*[A-Z0-9]|DATABASE_(?:DIRECT_)?URL|SMTP_URL)\b(?!_?\*)/g)].map(([setting]) => [name, setting]),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(([, setting = '']) => !known.has(setting))).toEqual([]);
  // What else a process of ours is given.
  const others = ['PATH', 'npm_config_cache', 'NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_'];
  expect(processes.flatMap(({ env }) => Object.keys(env)).filter((name) => !known.has(name) && !others.includes(name))).toEqual([]);
});

test.each(processes)('$name starts with what stands there, as a server and as a worker', ({ name, env, command, graceSeconds }) => {
  const config = readConfig(env);
  // The folder of a cluster's volume is root's and open to a group, and cannot be closed: one below it is the archive's alone.
  const dataFolder = name.startsWith('kubernetes') ? '/var/lib/rushes/data' : '/var/lib/rushes';
  expect([config.practice, config.dataFolder, config.publicUrl]).toEqual([false, dataFolder, 'https://archive.example']);
  readIngestConfig(env);
  expect(env).toMatchObject({ MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', NODE_COMPILE_CACHE: expect.any(String) });
  expect(command.at(-1)).toBe('commands/start.ts');
  if (config.roles !== 'ingest')
    expect(command).toEqual(expect.arrayContaining(['--max-semi-space-size=32', '--heap-growing-percent=100']));
  // It ends within ten seconds by itself; a cluster sends visitors elsewhere for as long before.
  expect(graceSeconds).toBeGreaterThanOrEqual(15);
});

test('what is started together takes each its own part, and several machines share what they must', () => {
  const rolesIn = (file: string) => processes.filter(({ name }) => name.startsWith(file)).map(({ env }) => readConfig(env).roles);
  expect(rolesIn('compose.yaml')).toEqual(['both']);
  expect(rolesIn('compose.several')).toEqual(['web', 'web', 'ingest', 'ingest']);
  expect(rolesIn('kubernetes')).toEqual(['web', 'ingest']);
  expect(rolesIn('rushes').sort()).toEqual(['both', 'ingest', 'web']);
  for (const { env } of processes.filter(({ name }) => /several|kubernetes/.test(name))) {
    const { databaseUrl, s3, secretsKey, trustedProxies, roles } = readConfig(env);
    expect([databaseUrl, s3?.bucket, trustedProxies.length]).toEqual([expect.any(String), 'rushes', 1]);
    // What ingests signs nothing.
    expect(secretsKey?.length).toBe(roles === 'web' ? 32 : undefined);
  }
});

test.each(shippedBackups(settings))(
  '$name backs up the archive that the other processes work on, into another place',
  ({ name, env, command }) => {
    const at = command.indexOf('commands/backup.ts');
    expect(at).toBeGreaterThan(0);
    const options = { to: { type: 'string' }, keep: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: command.slice(at + 1), allowPositionals: true, options });
    expect([positionals.length + (values.to === undefined ? 0 : 1), Number(values.keep)]).toEqual([1, 30]);
    const beside = processes.find(
      (one) => one.name.split(' ')[0] === (name.endsWith('.service') ? 'rushes-web.service' : name.split(' ')[0]),
    );
    const own = (settings: Readonly<Record<string, string>>) => {
      const { dataFolder, databaseUrl, s3 } = readIngestConfig(settings);
      return { dataFolder, databaseUrl, s3 };
    };
    expect(own(env)).toEqual(own(beside?.env ?? {}));
    // What opens the secrets that a backup holds is no part of it.
    expect(env.RUSHES_SECRETS_KEY).toBe(undefined);
    // What an operator adds to compose.several.
    const elsewhere = {
      RUSHES_BACKUP_S3_ENDPOINT: 'https://s3.elsewhere.example',
      RUSHES_BACKUP_S3_ACCESS_KEY: 'x',
      RUSHES_BACKUP_S3_SECRET_KEY: 'x',
    };
    expect(readBackupPlace(values.to ?? positionals[0] ?? '', name.startsWith('kubernetes') ? env : { ...elsewhere, ...env })).toBeTruthy();
  },
);

test('the folder of backups may be written to by the nightly one, and by what tells it who was forgotten', () => {
  const writers = ['rushes-backup.service', 'rushes-backup-check.service', 'rushes-web.service', 'rushes.service'];
  const paths = writers.map((name) => new Map(readUnit(name)).get('ReadWritePaths'));
  expect(paths).toEqual(writers.map(() => '-/mnt/backup'));
  expect(readUnit('rushes-backup.service').filter(([key, value]) => key === 'ExecStart' && !value.includes(' /mnt/backup/'))).toEqual([]);
});

test('what is kept is read back also after a night whose backup was not whole, by a unit with the settings of that backup', () => {
  const startedBy = (name: string) => readUnit(name).flatMap(([key, value]) => (key === 'ExecStart' ? [value] : []));
  const behindOthers = units.flatMap(({ name }) =>
    startedBy(name)
      .slice(1)
      .map((command) => [name, command]),
  );
  expect(behindOthers.filter(([, command = '']) => command.includes('--check'))).toEqual([]);
  const [backup, check] = ['rushes-backup.service', 'rushes-backup-check.service'] as const;
  expect(startedBy(check)).toEqual(startedBy(backup).map((command) => command.replace('--keep 30', '--check')));
  const own = ['Description', 'After', 'ExecStart'];
  const settingsOf = (name: string) => readUnit(name).filter(([key]) => !own.includes(key));
  expect(settingsOf(check)).toEqual(settingsOf(backup));
});

test('what serves reads the file about the archive where no newer version lies over it', () => {
  const serving = processes.filter(({ env }) => readConfig(env).roles !== 'ingest');
  expect(serving.map(({ name, env }) => [name, readConfig(env).archiveFile])).toEqual([
    ['compose.yaml archive', '/etc/rushes/archive.config.json'],
    ['compose.several.yaml web-1', '/etc/rushes/archive.config.json'],
    ['compose.several.yaml web-2', '/etc/rushes/archive.config.json'],
    ['kubernetes.yaml web', '/etc/rushes/archive.config.json'],
    ['rushes-web.service', '/etc/rushes.config.json'],
    ['rushes.service', '/etc/rushes.config.json'],
  ]);
  const mounted = ['compose.yaml', 'compose.several.yaml'].flatMap((file) => Object.values(readCompose(file).services));
  const about = './archive.config.json:/etc/rushes/archive.config.json:ro';
  expect(mounted.filter(({ volumes }) => volumes.includes(about))).toHaveLength(3);
  expect(read('deploy/install.sh')).toContain('install -m 644 archive.config.json /etc/rushes.config.json');
});

test('the sample films come into a database of their own, and into one that is shared only where somebody asks for them', () => {
  // A machine that only ingests works without the address of the archive.
  const { RUSHES_PUBLIC_URL: _, ...ingest } = processes.find(({ name }) => name === 'rushes-ingest.service')?.env ?? {};
  expect(readIngestConfig(ingest).wantsSamples).toBe(false);
  expect(readIngestConfig({ ...ingest, RUSHES_SAMPLES: '1' }).wantsSamples).toBe(true);
  expect([{}, { RUSHES_SAMPLES: '0' }, settings].map((env) => readIngestConfig(env).wantsSamples)).toEqual([true, false, false]);
});

test('an empty address of a server that has models is none, for the server and for the worker', () => {
  const empty = { ...settings, RUSHES_MODEL_HUB: '' };
  readConfig(empty);
  expect(readIngestConfig(empty).speech.modelHub).toBe(readIngestConfig(settings).speech.modelHub);
});

test('every port and probe is one that the server answers, and every command one that is there', () => {
  const port = String(readConfig({}).listen.port);
  expect(readImage().healthCheck).toContain(`http://127.0.0.1:${port}${routes.healthz.path}`);
  const [web] = readCluster().flatMap(({ metadata, spec }) => (metadata.name === 'web' ? (spec?.template?.spec.containers ?? []) : []));
  expect(web?.ports).toEqual([{ name: 'http', containerPort: Number(port) }]);
  const { startupProbe, livenessProbe, readinessProbe } = web ?? {};
  const probed = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet);
  const { healthz, readyz } = routes;
  expect(probed).toEqual([healthz, healthz, readyz].map(({ path }) => ({ path, port: 'http' })));
  for (const { name, text } of shippedFiles) {
    const asked = [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, script = '']) => script);
    expect([name, asked.filter((script) => !scripts[script])]).toEqual([name, []]);
    const files = [...text.matchAll(/\b(?:commands|scripts|domain|docs|deploy)\/[\w./-]+\.(?:ts|mjs|md|sh|yaml)\b/g)].map(([path]) => path);
    expect([name, files.filter((path) => !existsSync(join(root, path)))]).toEqual([name, []]);
    const addressed = [...text.matchAll(/(?:127\.0\.0\.1|archive|web-\d):(\d{4})/g)].map(([, number]) => number);
    expect([name, addressed.filter((number) => number !== port)]).toEqual([name, []]);
  }
});

test('a pod has room for the index and for as many of the largest films as it holds at once: a cluster ends one that takes more', () => {
  const places = readCluster().flatMap(({ metadata, spec }) => {
    const size = spec?.template?.spec.volumes.find(({ name }) => name === 'data')?.emptyDir?.sizeLimit ?? '';
    return spec?.template ? [[metadata.name, Number(/^(\d+)Gi$/.exec(size)?.[1]) * 2 ** 30] as const] : [];
  });
  expect(places.map(([name]) => name)).toEqual(['web', 'ingest']);
  for (const [name, bytes] of places) {
    const { env } = processes.find((one) => one.name === `kubernetes.yaml ${name}`) ?? { env: {} };
    const { fileMaxBytes } = readConfig(env).uploads;
    expect([name, bytes]).toEqual([name, expect.toSatisfy((room: number) => room >= indexBytes + (filmsAtOnce[name] ?? 0) * fileMaxBytes)]);
  }
});

/** Of a million films, which docs/scaling.md measures with 15 GB. */
const indexBytes = 20 * 2 ** 30;
/** What is sent is put together by a pod of web; on each lane of ingest a copy of its film lies beside what is made of it. */
const filmsAtOnce: Readonly<Record<string, number>> = { web: limits.uploadsFinishedAtOnce, ingest: 4 };

test.each(['compose.yaml', 'compose.several.yaml'])('%s names no service and no volume that it lacks', (file) => {
  const { services, volumes } = readCompose(file);
  const [before, mounted] = [new Set<string>(), new Set<string>()];
  for (const { depends_on: needs, volumes: mounts } of Object.values(services)) {
    for (const name of Array.isArray(needs) ? needs : Object.keys(needs)) before.add(name);
    for (const [name = ''] of mounts.map((mount) => mount.split(':'))) if (!name.startsWith('.')) mounted.add(name);
  }
  expect([...before].filter((name) => !services[name])).toEqual([]);
  expect([...mounted].sort()).toEqual(Object.keys(volumes).sort());
});

test.each(['compose.yaml', 'compose.several.yaml'])('what %s asks for stands in a file, where every later command finds it too', (file) => {
  const head = read(`deploy/${file}`)
    .split('\n')
    .filter((line) => line.startsWith('#'));
  expect(head.join('\n')).toContain('deploy/.env');
  expect(head.filter((line) => /[A-Z_]+=\S+ docker /.test(line))).toEqual([]);
});

test('nginx is started anew when a web machine is: it would go on with the address that it knew', () => {
  const { nginx } = readCompose('compose.several.yaml').services;
  const again = { condition: 'service_started', restart: true };
  expect(nginx?.depends_on).toEqual({ 'web-1': again, 'web-2': again });
});

test('nginx takes its configuration as a container gets it, with every web machine in it', ({ skip }) => {
  const certificate = madeCertificate('DNS:films.example');
  const nginx = findProgram('nginx');
  if (!certificate || !nginx) return skip(isMissing(nginx ? 'openssl' : 'nginx'));
  const folder = mkdtempSync(join(tmpdir(), 'rushes-nginx-'));
  const site = join(folder, 'rushes.conf');
  const env = { ...process.env, ARCHIVE_NAME: 'films.example', ARCHIVE_WEB: '127.0.0.1:4001 127.0.0.1:4002' };
  const made = spawnSync('sh', [join(root, 'deploy', 'nginx-in-container.sh'), join(root, 'deploy', 'nginx.conf'), site], { env });
  expect([made.status, made.stderr.toString()]).toEqual([0, '']);
  const text = readFileSync(site, 'utf8');
  expect(text).toContain('server 127.0.0.1:4001; server 127.0.0.1:4002;');
  expect(text).not.toMatch(/archive\.example|\/var\/log/);
  writeFileSync(join(folder, 'cert.pem'), certificate.cert);
  writeFileSync(join(folder, 'key.pem'), certificate.key);
  // Neither Debian's package nor a container is known to have more than /var/cache itself.
  writeFileSync(
    site,
    text.replaceAll('/etc/ssl/rushes', folder).replaceAll('/var/cache/', `${folder}/`).replaceAll('/dev/std', `${folder}/std`),
  );
  writeFileSync(join(folder, 'nginx.conf'), `pid ${folder}/pid; error_log stderr; events {} http { include ${site}; }`);
  const tried = spawnSync(nginx, ['-t', '-p', folder, '-c', join(folder, 'nginx.conf')]);
  expect([tried.status, tried.stderr.toString()]).toEqual([0, expect.stringContaining('test is successful')]);
  rmSync(folder, { recursive: true });
});

test('what reads footage may make namespaces, and nothing else is allowed that systemd can forbid', ({ skip }) => {
  for (const { name } of units) {
    const lines = new Map(readUnit(name));
    const reads = ['rushes.service', 'rushes-ingest.service'].includes(name);
    expect([name, lines.get('RestrictNamespaces'), lines.get('NoNewPrivileges')]).toEqual([
      name,
      reads ? 'user mnt net ipc uts pid' : 'yes',
      'yes',
    ]);
  }
  const program = findOnPath(['systemd-analyze']);
  if (!program) return skip(isMissing('systemd-analyze'));
  const folder = mkdtempSync(join(tmpdir(), 'rushes-units-'));
  const timers = shippedFiles.filter(({ name }) => name.endsWith('.timer'));
  expect(timers.map(({ name }) => name)).toEqual(['rushes-backup-check.timer', 'rushes-backup.timer']);
  const paths = [...units, ...timers].map(({ name, text }) => {
    const path = join(folder, name);
    // Nothing is installed here.
    writeFileSync(path, text.replaceAll('/opt/rushes/node_modules/.bin/node', process.execPath).replace(/^Documentation=.*\n/m, ''));
    return path;
  });
  const verified = spawnSync(program, ['verify', '--man=no', '--recursive-errors=no', ...paths], { encoding: 'utf8' });
  expect([verified.status, verified.stdout + verified.stderr]).toEqual([0, '']);
  rmSync(folder, { recursive: true });
});

test.each(units.filter(({ name }) => !name.startsWith('rushes-backup')))(
  '$name is started again for as long as a database or a store is away, and not with settings that are wrong',
  ({ name }) => {
    const lines = new Map(readUnit(name));
    const restarting = ['Restart', 'StartLimitIntervalSec', 'StartLimitBurst', 'RestartPreventExitStatus'].map((key) => lines.get(key));
    expect(restarting).toEqual(['always', '0', undefined, String(settingsFaultCode)]);
    // A start takes a second or two of the processor.
    expect(Number.parseInt(lines.get('RestartSec') ?? '', 10)).toBeGreaterThanOrEqual(5);
  },
);

test('the script of the image knows its steps, and no other', () => {
  const image = shippedFiles.find(({ name }) => name === 'Containerfile')?.text ?? '';
  expect([...image.matchAll(/RUN deploy\/install\.sh (\w+)/g)].map(([, step]) => step)).toEqual(['machine', 'modules', 'program']);
  const { status, stderr } = spawnSync('sh', [join(root, 'deploy', 'install.sh'), 'everything'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, 'install.sh knows machine, modules and program, not everything\n']);
});

/** Which variables are looked for. */
function namesRead(reader: (environment: Record<string, string | undefined>) => unknown): string[] {
  const names = new Set<string>();
  const note = (name: string | symbol) => void (typeof name === 'string' && names.add(name));
  reader(
    new Proxy<Record<string, string | undefined>>(
      {},
      {
        get: (_, name) => note(name),
        has: (_, name) => {
          note(name);
          return false;
        },
      },
    ),
  );
  return [...names];
}
