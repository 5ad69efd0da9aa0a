import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openS3Client } from '#domain/files/s3/s3-client.ts';
import type { S3Settings } from '#domain/files/s3/s3-settings.ts';
import { findOnPath } from './find-on-path.ts';
import { freePort } from './free-port.ts';
import { installDebianPackage } from './install-debian-package.ts';
import { until } from './until.ts';

/** A Ceph object gateway with one monitor and one store of objects, on this machine. */
export interface S3Server {
  readonly endpoint: string;
  readonly pids: readonly number[];
  /** Those of the part that speaks S3, and of the one behind it that holds the objects. */
  readonly gateway: number;
  readonly objects: number;
}

/** Where objects are: in memory, for tests that store much, or on the disk, where what is acknowledged outlives the process that holds it. */
export type Keeping = 'memory' | 'disk';

/** Where a server that was set up once waits to be started again: to set it up takes most of its start. */
const templateOf = (keeping: Keeping) => `/var/tmp/rushes-s3-template-${keeping}-1`;
const keys = { accessKey: 'test', secretKey: 'testsecret' };

let isThere: boolean | undefined;

/** Whether this machine has Debian's Ceph, or lets us install it. */
export function hasCeph(): boolean {
  isThere ??= findCeph();
  return isThere;
}

function findCeph(): boolean {
  if (process.getuid?.() !== 0) return false;
  const programs = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph'];
  const areThere = () => programs.every((name) => findOnPath([name]) !== undefined);
  return areThere() || (installDebianPackage('radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common') && areThere());
}

/** Starts a server whose files lie in `folder`. */
export async function startS3Server(folder: string, keeping: Keeping = 'memory'): Promise<S3Server> {
  const template = templateOf(keeping);
  if (!existsSync(template)) await makeTemplate(template, keeping);
  // The file that stands for a disk is mostly holes.
  run('cp', ['-a', '--sparse=always', template, folder]);
  const [monitorPort, port] = [await freePort(), await freePort()];
  writeFileSync(join(folder, 'ceph.conf'), configOf(folder, { fsid: readFileSync(join(folder, 'fsid'), 'utf8'), monitorPort, keeping }));
  run('monmaptool', [
    '--create',
    '--clobber',
    '--fsid',
    readFileSync(join(folder, 'fsid'), 'utf8'),
    '--addv',
    'a',
    addressesOf(monitorPort),
    join(folder, 'monmap'),
  ]);
  run('ceph-mon', ['-c', join(folder, 'ceph.conf'), '-i', 'a', '--inject-monmap', join(folder, 'monmap')]);
  const [monitor, objects] = [startPart(folder, 'ceph-mon', ['-i', 'a']), startObjects(folder)];
  const gateway = startGateway(folder, port);
  const endpoint = `http://127.0.0.1:${port}`;
  await until(
    () =>
      fetch(endpoint).then(
        () => true,
        () => false,
      ),
    { withinMs: 60_000 },
  );
  return { endpoint, pids: [monitor, objects, gateway], gateway, objects };
}

/** Starts the part of a server that holds the objects; its process. */
export function startObjects(folder: string): number {
  return startPart(folder, 'ceph-osd', ['-i', '0']);
}

/** Starts the gateway of a server, which is the part that speaks S3; its process. */
export function startGateway(folder: string, port: number): number {
  return startPart(folder, 'radosgw', ['-n', 'client.rgw.a', `--rgw-frontends=beast endpoint=127.0.0.1:${port} tcp_nodelay=1`]);
}

/** Makes a bucket at a gateway of ours. */
export async function makeBucket(endpoint: string, bucket: string): Promise<S3Settings> {
  // The gateway knows its own region only.
  const settings = { endpoint, bucket, region: 'default', ...keys, pathStyle: true };
  await openS3Client(settings).ask((s3) => s3.createBucket());
  return settings;
}

async function makeTemplate(template: string, keeping: Keeping): Promise<void> {
  const folder = `${template}.${process.pid}`;
  rmSync(folder, { recursive: true, force: true });
  for (const name of ['mon', 'osd', 'run', 'log']) mkdirSync(join(folder, name), { recursive: true });
  const fsid = crypto.randomUUID();
  const monitorPort = await freePort();
  const config = join(folder, 'ceph.conf');
  writeFileSync(join(folder, 'fsid'), fsid);
  writeFileSync(join(folder, 'keyring'), '');
  writeFileSync(config, configOf(folder, { fsid, monitorPort, keeping }));
  run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', addressesOf(monitorPort), join(folder, 'monmap')]);
  run('ceph-mon', ['-c', config, '--mkfs', '-i', 'a', '--monmap', join(folder, 'monmap')]);
  const monitor = startPart(folder, 'ceph-mon', ['-i', 'a']);
  const osd = crypto.randomUUID();
  run('ceph', ['-c', config, 'osd', 'new', osd]);
  run('ceph-osd', ['-c', config, '-i', '0', '--mkfs', '--osd-uuid', osd]);
  const objects = startObjects(folder);
  const user = ['--uid=rushes', '--display-name=rushes', `--access-key=${keys.accessKey}`, `--secret-key=${keys.secretKey}`];
  run('radosgw-admin', ['-c', config, 'user', 'create', ...user]);
  const port = await freePort();
  // It makes its pools at its first start.
  const gateway = startGateway(folder, port);
  await until(
    () =>
      fetch(`http://127.0.0.1:${port}`).then(
        () => true,
        () => false,
      ),
    { withinMs: 120_000 },
  );
  await makeBucket(`http://127.0.0.1:${port}`, 'first');
  for (const pid of [gateway, objects, monitor]) await endPart(pid);
  renameSync(folder, template);
}

/** Asks a part to end, and waits until it has. */
export async function endPart(pid: number, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const isThere = () => {
    try {
      process.kill(pid, 0);
      // As long as one of its threads is there, so are its locks.
      const isOver = /^\d+ \([^)]*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
      return !isOver || readdirSync(`/proc/${pid}/task`).length > 1;
    } catch {
      return false;
    }
  };
  if (isThere()) process.kill(pid, signal);
  while (isThere()) await wait(50);
}

function startPart(folder: string, program: string, args: readonly string[]): number {
  const child = spawn(program, ['-c', join(folder, 'ceph.conf'), ...args, '-f'], { stdio: 'ignore', detached: true });
  child.unref();
  return child.pid ?? 0;
}

function run(program: string, args: readonly string[]): void {
  const done = spawnSync(program, args, { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${done.stderr}`);
}

const addressesOf = (port: number) => `[v2:127.0.0.1:${port},v1:127.0.0.1:${port + 1}]`;

const objectStores: Record<Keeping, string> = {
  memory: 'osd objectstore = memstore\nmemstore device bytes = 6442450944',
  // One file in the place of a disk.
  disk: 'osd objectstore = bluestore\nbluestore block size = 6442450944\nosd memory target = 939524096',
};

function configOf(folder: string, { fsid, monitorPort, keeping }: { fsid: string; monitorPort: number; keeping: Keeping }): string {
  return `[global]
fsid = ${fsid}
mon host = ${addressesOf(monitorPort)}
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon warn on pool no redundancy = false
mon max pg per osd = 1000
osd crush chooseleaf type = 0
${objectStores[keeping]}
osd fast shutdown = false
osd class load list = *
osd class default list = *
run dir = ${folder}/run
admin socket = ${folder}/run/$name.$pid.asok
log file = ${folder}/log/$name.log
pid file = ${folder}/run/$name.pid
mon data = ${folder}/mon
osd data = ${folder}/osd
keyring = ${folder}/keyring
rgw data = ${folder}/rgw
rgw enable usage log = false
rgw thread pool size = 64
rgw dynamic resharding = false
ms mon client mode = crc
ms mon service mode = crc
ms mon cluster mode = crc
`;
}
