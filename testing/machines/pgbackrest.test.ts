import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { asOrdinaryUser, postgresProgram, runPostgres } from '../debian-postgres.ts';
import { findProgram, isMissing } from '../find-program.ts';
import { freePort } from '../free-port.ts';
import { madeCertificate } from '../made-certificate.ts';
import { putReport, skipWhere } from '../put-report.ts';
import { endPart, makeBucket, startS3Server } from '../s3-server.ts';
import { startNginx } from '../start-proxy.ts';
import { until } from '../until.ts';
import { whyNoTwoMachines } from './two-machines.ts';

/* What the documentation says of pgBackRest is done as it stands there, over TLS into a bucket: `npm run -s report:machines`. */
const whyNot = whyNoTwoMachines ?? missingProgram();

function missingProgram(): string | undefined {
  const name = ['nginx', 'openssl', 'pgbackrest'].find((one) => findProgram(one) === undefined);
  return name && isMissing(name);
}

test('pgBackRest brings a database back from a bucket to a moment as the documentation says', { timeout: 600_000 }, async (context) => {
  skipWhere(context, 'pgbackrest', whyNot);
  const root = mkdtempSync(join(tmpdir(), 'rushes-pgbackrest-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const gateway = await startS3Server(join(root, 'ceph'));
  onTestFinished(async () => {
    for (const pid of gateway.pids.toReversed()) await endPart(pid, 'SIGKILL');
  });
  const bucket = await makeBucket(gateway.endpoint, 'rushes-database');
  const [tlsPort, port, data, config] = [await freePort(), await freePort(), join(root, 'main'), join(root, 'pgbackrest.conf')];
  const tls = await startTls(root, { port: tlsPort, endpoint: gateway.endpoint });
  onTestFinished(() => tls?.stop());
  const changed = {
    'repo1-s3-endpoint': 'localhost',
    'repo1-s3-region': bucket.region,
    'repo1-s3-key': bucket.accessKey,
    'repo1-s3-key-secret': bucket.secretKey,
    'repo1-cipher-pass': 'made for this test',
    'pg1-path': data,
  };
  const ownFolders = { 'log-path': root, 'lock-path': root, 'spool-path': root };
  const added = { 'repo1-storage-port': tlsPort, 'repo1-storage-ca-file': join(root, 'cert.pem'), ...ownFolders };
  const ofServer = { 'pg1-port': port, 'pg1-user': 'app', 'pg1-socket-path': root };
  writeFileSync(config, `${withValues(documented('[global]'), changed)}${linesOf(ofServer)}[global]\n${linesOf(added)}`);
  const run = (line: string) => runAsDocumented(config, line);

  runPostgres('initdb', ['-D', data, '-U', 'app', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8']);
  const toArchive = documented('archive_mode').replace('pgbackrest', `pgbackrest --config=${config}`);
  const ownPlace = `listen_addresses = ''\nport = ${port}\nunix_socket_directories = '${root}'\n`;
  appendFileSync(join(data, 'postgresql.conf'), toArchive + ownPlace);
  const ask = (statement: string) => {
    const args = ['-h', root, '-p', String(port), '-U', 'app', '-d', 'postgres', '-Atc', statement];
    return spawnSync(postgresProgram('psql'), args, { encoding: 'utf8' }).stdout.trim();
  };
  let server = startServer(data);
  onTestFinished(() => end(server));
  await until(() => ask('select 1') === '1', { withinMs: 60_000 });
  for (const line of documented('sudo -u postgres pgbackrest --stanza=rushes stanza-create').trim().split('\n')) run(line);
  ask("create table films (name text); insert into films values ('before the backup')");
  run(inBackticks('--type=full backup'));
  ask("insert into films values ('after the backup')");
  run(inBackticks('--type=incr backup'));
  ask("insert into films values ('after both')");
  const moment = ask('select clock_timestamp()');
  ask("delete from films; insert into films values ('went wrong')");
  ask('select pg_switch_wal()');
  await until(() => ask('select last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1) from pg_stat_archiver') === 't', {
    withinMs: 60_000,
  });

  await end(server);
  run(inBackticks('--delta --type=time').replace(/"--target=[^"]+"/, `"--target=${moment}"`));
  server = startServer(data);
  await until(() => ask('select pg_is_in_recovery()') === 'f', { withinMs: 120_000 });
  const rows = ask('select name from films').split('\n');
  putReport(context.task, { check: 'pgbackrest', rows: rows.length, lost: 3 - rows.length });
  expect(rows).toEqual(['before the backup', 'after the backup', 'after both']);
});

const operations = readFileSync(resolve(import.meta.dirname, '../../docs/operations.md'), 'utf8');

/** The block of the documentation that begins so. */
function documented(begin: string): string {
  const from = operations.indexOf(`\`\`\`\n${begin}`);
  if (from < 0) throw new Error(`docs/operations.md has no block that begins with ${begin}`);
  return operations.slice(from + 4, operations.indexOf('```', from + 4));
}

/** The command of pgBackRest with these words that stands in a line of the documentation. */
function inBackticks(words: string): string {
  const found = operations.match(/`[^`\n]+`/g)?.find((code) => code.includes('pgbackrest') && code.includes(words));
  if (!found) throw new Error(`docs/operations.md has no command with ${words}`);
  return found.slice(1, -1);
}

function withValues(config: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((all, [key, value]) => {
    const line = new RegExp(`^${key}=.*$`, 'm');
    if (!line.test(all)) throw new Error(`docs/operations.md does not set ${key}`);
    return all.replace(line, `${key}=${value}`);
  }, config);
}

function linesOf(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}

/** Runs a documented line as the owner of the database, without what says when and as whom. */
function runAsDocumented(config: string, line: string): void {
  const bare = line.slice(line.indexOf('pgbackrest')).replace('pgbackrest', `pgbackrest --config=${config}`);
  const [command = '', ...args] = asOrdinaryUser('/bin/sh', ['-c', bare]);
  const done = spawnSync(command, args, { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${bare}:\n${done.stdout}${done.stderr}`);
}

function startServer(data: string): ChildProcess {
  const [command = '', ...args] = asOrdinaryUser(postgresProgram('postgres'), ['-D', data]);
  return spawn(command, args, { stdio: 'ignore' });
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.kill('SIGINT');
  await gone;
}

/** The gateway again with a certificate, which pgBackRest insists on. */
async function startTls(root: string, { port, endpoint }: { port: number; endpoint: string }) {
  const made = madeCertificate('DNS:localhost');
  writeFileSync(join(root, 'key.pem'), made?.key ?? '');
  writeFileSync(join(root, 'cert.pem'), made?.cert ?? '');
  const site = `server { listen 127.0.0.1:${port} ssl; client_max_body_size 0;
  ssl_certificate ${join(root, 'cert.pem')}; ssl_certificate_key ${join(root, 'key.pem')};
  location / { proxy_pass ${endpoint}; proxy_set_header Host $http_host; } }`;
  return await startNginx(() => site, port);
}
