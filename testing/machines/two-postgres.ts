import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asOrdinaryUser, postgresProgram, runPostgres } from '../debian-postgres.ts';
import { freePort } from '../free-port.ts';
import { until } from '../until.ts';
import { openRelay } from './relay.ts';

/** A PostgreSQL of Debian with another one that follows it, behind one address; what it writes is archived, so that it can be restored to a moment. */
export interface TwoPostgres {
  /** What an operator would put into DATABASE_URL. */
  readonly url: string;
  /** Ends the one that answers as a crash would; nothing stands in its place. */
  killPrimary(): Promise<void>;
  /** Starts it again where it was. */
  startPrimary(): Promise<void>;
  /** Makes the other one the primary, and points the address at it. */
  promote(): void;
  /** Restores the first one to a moment of the past by its backup and what was archived since, and points the address at it. */
  restoreTo(moment: string): Promise<void>;
  stop(): Promise<void>;
}

const user = 'app';

/** Starts both, with an empty database; what is committed is on the disks of both. */
export async function startTwoPostgres(): Promise<TwoPostgres> {
  const root = mkdtempSync(join(tmpdir(), 'rushes-two-pg-'));
  chmodSync(root, 0o755);
  mkdirSync(join(root, 'wal'));
  const ports = { first: await freePort(), second: await freePort(), restored: await freePort() };
  const folderOf = (name: keyof typeof ports) => join(root, name);
  const running = new Map<keyof typeof ports, ChildProcess>();

  /** Begun again for as long as processes of the one before hold its memory. */
  async function start(name: keyof typeof ports): Promise<void> {
    const [command = '', ...args] = asOrdinaryUser(postgresProgram('postgres'), ['-D', folderOf(name), '-p', String(ports[name])]);
    const asking = ['-h', '127.0.0.1', '-p', String(ports[name]), '-U', user];
    const isReady = () => {
      if (!isRunning(running.get(name))) running.set(name, spawn(command, args, { stdio: 'ignore' }));
      return spawnSync(postgresProgram('pg_isready'), asking).status === 0;
    };
    await until(isReady, { withinMs: 60_000 });
  }

  async function kill(name: keyof typeof ports): Promise<void> {
    const child = running.get(name);
    if (!child || !isRunning(child)) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  const ask = (name: keyof typeof ports, statement: string) =>
    spawnSync(postgresProgram('psql'), ['-h', '127.0.0.1', '-p', String(ports[name]), '-U', user, '-d', 'postgres', '-Atc', statement], {
      encoding: 'utf8',
    }).stdout.trim();

  runPostgres('initdb', ['-D', folderOf('first'), '-U', user, '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8']);
  appendFileSync(
    join(folderOf('first'), 'postgresql.conf'),
    `listen_addresses = '127.0.0.1'
unix_socket_directories = ''
wal_level = replica
wal_keep_size = '256MB'
hot_standby = on
wal_retrieve_retry_interval = '200ms'
archive_mode = on
archive_command = 'test ! -f ${root}/wal/%f && cp %p ${root}/wal/%f'
archive_timeout = 2
`,
  );
  await start('first');
  runPostgres('createdb', ['-h', '127.0.0.1', '-p', String(ports.first), '-U', user, 'archive']);
  const copying = ['-h', '127.0.0.1', '-p', String(ports.first), '-U', user, '-X', 'stream', '-c', 'fast'];
  runPostgres('pg_basebackup', [...copying, '-D', folderOf('restored')]);
  runPostgres('pg_basebackup', [...copying, '-R', '-D', folderOf('second')]);
  await start('second');
  ask('first', "alter system set synchronous_standby_names = '*'");
  ask('first', 'select pg_reload_conf()');
  await until(() => ask('first', "select count(*) from pg_stat_replication where sync_state = 'sync'") === '1', { withinMs: 30_000 });
  const relay = await openRelay(ports.first);
  return {
    url: `postgres://${user}@127.0.0.1:${relay.port}/archive`,
    killPrimary: () => kill('first'),
    startPrimary: () => start('first'),
    promote: () => {
      ask('second', 'select pg_promote()');
      relay.leadTo(ports.second);
    },
    restoreTo: async (moment) => {
      appendFileSync(
        join(folderOf('restored'), 'postgresql.conf'),
        `restore_command = 'cp ${root}/wal/%f %p'
recovery_target_time = '${moment}'
recovery_target_action = 'promote'
`,
      );
      appendFileSync(join(folderOf('restored'), 'recovery.signal'), '');
      await start('restored');
      await until(() => ask('restored', 'select pg_is_in_recovery()') === 'f', { withinMs: 120_000 });
      relay.leadTo(ports.restored);
    },
    stop: async () => {
      for (const name of ['first', 'second', 'restored'] as const) await kill(name);
      relay.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function isRunning(child: ChildProcess | undefined): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}
