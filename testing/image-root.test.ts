import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { routes } from '#contract/routes.ts';
import { walls as allWalls } from '#ingest/tools/standing-walls.ts';
import { findOnPath } from './find-on-path.ts';
import { findProgram, isMissing } from './find-program.ts';
import { freePort } from './free-port.ts';
import { putReport } from './put-report.ts';
import { readImage } from './shipped-processes.ts';
import { until } from './until.ts';
import { wantsWholeCorpus } from './whole-corpus.ts';

const root = resolve(import.meta.dirname, '..');
const home = '/opt/rushes';

test('the steps of the image make an archive of a bare Debian, which answers and ends in time', { timeout: 1_800_000 }, async ({
  skip,
  task,
}) => {
  if (!wantsWholeCorpus) return skip('npm run -s report:image makes a whole Debian for it');
  const debootstrap = process.getuid?.() === 0 ? findProgram('debootstrap') : undefined;
  const npm = findOnPath(['npm']);
  if (!debootstrap || !npm) return skip(isMissing(npm ? 'debootstrap' : 'npm'));
  const debian = mkdtempSync(join(tmpdir(), 'rushes-image-'));
  // The archive's own user begins at its root.
  chmodSync(debian, 0o755);
  try {
    // What it mounts is gone with it: nothing of this machine is to be deleted below.
    expect(
      spawnSync('unshare', ['--mount', debootstrap, '--variant=minbase', 'bookworm', debian, 'http://deb.debian.org/debian']).status,
    ).toBe(0);
    putNode(debian, realpathSync(npm));
    putContext(join(debian, home));
    for (const step of ['machine', 'modules', 'program']) {
      const { status, stderr } = spawnSync('unshare', within(debian, [`${home}/deploy/install.sh`, step]), { encoding: 'utf8' });
      expect([step, status, status === 0 ? '' : stderr]).toEqual([step, 0, '']);
    }
    putReport(task, { check: 'image', ...(await runArchive(debian)) });
  } finally {
    rmSync(debian, { recursive: true, force: true });
  }
});

/** Starts what the image starts, as its user and with what it sets; returns how that went. */
async function runArchive(debian: string): Promise<{ walls: string[]; endCode: number }> {
  const { env, command } = readImage();
  const port = await freePort();
  const settings = {
    ...env,
    PORT: String(port),
    RUSHES_PUBLIC_URL: `http://localhost:${port}`,
    RUSHES_LISTEN: '127.0.0.1',
    RUSHES_STRICT_INGEST: '1',
    RUSHES_LOG: 'info',
  };
  const words = [
    'env',
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    'sh',
    '-c',
    `cd ${home} && exec "$@"`,
    'sh',
  ];
  const asUser = ['setpriv', '--reuid=rushes', '--regid=rushes', '--init-groups', '--no-new-privs', '--bounding-set=-all'];
  const archive = spawn('unshare', within(debian, [...asUser, ...words, ...command]), { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  archive.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const answers = async (path: string) => {
    if (archive.exitCode !== null) throw new Error(`The archive ended with ${archive.exitCode}:\n${said}`);
    return await fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => 0,
    );
  };
  await until(async () => (await answers(routes.readyz.path)) === 200, { withinMs: 300_000 });
  expect(await answers('/')).toBe(200);
  await until(() => said.includes('kept from: '), { withinMs: 60_000, otherwise: () => said });
  const walls = /kept from: ([^"]*)/.exec(said)?.[1]?.split(', ') ?? [];
  expect(walls).toEqual([...allWalls]);
  const endCode = await endOf(archive);
  expect(endCode).toBe(0);
  return { walls, endCode };
}

/** The exit code of what is told to end; something else where it has not after the time that containers give it. */
async function endOf(archive: ChildProcess): Promise<number> {
  const gone = once(archive, 'exit');
  archive.kill('SIGTERM');
  const killer = setTimeout(() => archive.kill('SIGKILL'), 15_000);
  const [code] = await gone;
  clearTimeout(killer);
  return Number(code ?? -1);
}

/** The arguments of `unshare` that run this in there; what is mounted for it is gone with it. */
function within(debian: string, command: readonly string[]): string[] {
  // No chroot: in one nobody may make the namespaces that decoders are kept in.
  const enter = [
    ...['mount --bind "$0" "$0"', 'cd "$0"', 'mount --bind /dev dev', 'mount -t proc proc proc', 'mkdir -p .old', 'pivot_root . .old'],
    ...['umount -l /.old', 'exec "$@"'],
  ].join(' && ');
  return [
    '--mount',
    'sh',
    '-c',
    enter,
    debian,
    'env',
    '-i',
    'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'HOME=/root',
    ...trust(),
    ...command,
  ];
}

/** Where this machine trusts certificates of its own, so does npm in there. */
function trust(): string[] {
  return process.env.NODE_EXTRA_CA_CERTS ? ['NODE_EXTRA_CA_CERTS=/opt/trusted.crt'] : [];
}

/** Node.js and npm where the image has them. */
function putNode(debian: string, npmScript: string): void {
  const local = join(debian, 'usr', 'local');
  cpSync(realpathSync(process.execPath), join(local, 'bin', 'node'));
  const npmFolder = dirname(dirname(npmScript));
  cpSync(npmFolder, join(local, 'lib', 'node_modules', 'npm'), { recursive: true });
  symlinkSync(`../lib/node_modules/npm/${relative(npmFolder, npmScript)}`, join(local, 'bin', 'npm'));
  for (const name of ['resolv.conf', 'hosts']) cpSync(realpathSync(join('/etc', name)), join(debian, 'etc', name));
  const { NODE_EXTRA_CA_CERTS: trusted } = process.env;
  if (trusted && existsSync(trusted)) cpSync(realpathSync(trusted), join(debian, 'opt', 'trusted.crt'));
}

/** The project as a builder of images gets it. */
function putContext(folder: string): void {
  const left = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  mkdirSync(folder, { recursive: true });
  cpSync(root, folder, { recursive: true, filter: (path) => !left.includes(relative(root, path)) });
}
