import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../find-program.ts';
import { freePort } from '../free-port.ts';
import { until } from '../until.ts';

/** Nobody: PgBouncer does not run as root. */
const nobody = 65_534;

/** Starts PgBouncer before the database at this address, each transaction on whatever connection is free, by turns; null where there is no PgBouncer. */
export async function startPgBouncer(databaseUrl: string): Promise<{ readonly url: string; stop(): Promise<void> } | null> {
  const program = findProgram('pgbouncer');
  if (!program) return null;
  const folder = mkdtempSync(join(tmpdir(), 'rushes-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const { username: user, hostname, port: databasePort, pathname } = new URL(databaseUrl);
  const database = pathname.slice(1);
  writeFileSync(join(folder, 'users'), `"${user}" ""\n`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${database} = host=${hostname} port=${databasePort} dbname=${database} user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = 10
server_round_robin = 1
ignore_startup_parameters = extra_float_digits,options
`,
  );
  // Whatever is kept from others by default: nobody reads them.
  for (const name of ['users', 'pgbouncer.ini']) chmodSync(join(folder, name), 0o644);
  const child = spawn(program, [join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}),
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const accepts = () =>
    new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false));
      socket.on('close', () => done(false)).setTimeout(1_000, () => socket.destroy());
    });
  await until(accepts, { withinMs: 20_000, otherwise: () => `PgBouncer does not listen:\n${said}` });
  return {
    url: `postgres://${user}@127.0.0.1:${port}/${database}`,
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
