import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './find-program.ts';
import { until } from './until.ts';

export interface RunningProxy {
  /** What it has written about requests so far. */
  readonly accessLog: () => string;
  /** All that it has written so far, wherever. */
  readonly everyLog: () => string;
  stop(): Promise<void>;
}

/** What goes into nginx's `http` block, given the folder that this nginx may write into. */
export type NginxSite = (folder: string) => string;

/** Starts nginx with these lines of its `http` block; null where there is none. Its log is `access.log` of its folder. */
export async function startNginx(site: NginxSite, port: number): Promise<RunningProxy | null> {
  const program = findProgram('nginx');
  if (!program) return null;
  const folder = mkdtempSync(join(tmpdir(), 'rushes-nginx-'));
  // Its workers are somebody else.
  chmodSync(folder, 0o755);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(folder, name)};`);
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const config = `${user} daemon off; pid ${join(folder, 'pid')}; worker_processes 1; error_log ${join(folder, 'error.log')};
events { worker_connections 512; }
http { ${paths.join(' ')} default_type application/octet-stream;
${site(folder)}
}`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  const child = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
  return await untilListening(child, { folder, port });
}

/** Starts Caddy with this Caddyfile; null where there is none. Its log is `access.log` of its folder. */
export async function startCaddy(caddyfile: (folder: string) => string, port: number): Promise<RunningProxy | null> {
  const program = findProgram('caddy');
  if (!program) return null;
  const folder = mkdtempSync(join(tmpdir(), 'rushes-caddy-'));
  mkdirSync(join(folder, 'home'));
  writeFileSync(join(folder, 'Caddyfile'), caddyfile(folder));
  const env = { ...process.env, HOME: join(folder, 'home'), XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  const child = spawn(program, args, { env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  return await untilListening(child, { folder, port });
}

async function untilListening(child: ChildProcess, { folder, port }: { folder: string; port: number }): Promise<RunningProxy> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const isListening = () => {
    if (child.exitCode !== null) throw new Error(`The proxy ended with ${child.exitCode}:\n${said}`);
    return accepts(port);
  };
  await until(isListening, { withinMs: 20_000, otherwise: () => `The proxy does not listen:\n${said}` }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const read = (name: string) => readIfThere(join(folder, name));
  return { accessLog: () => read('access.log'), everyLog: () => read('access.log') + read('error.log') + said, stop };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => done(true));
    socket.on('error', () => done(false)).on('connect', () => socket.destroy());
  });
}
