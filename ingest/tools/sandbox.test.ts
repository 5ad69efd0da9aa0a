import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { until } from '#testing/until.ts';
import { findBoundMemory, notHeldCode, watchedMemory } from './bound-memory.ts';
import { runHeld } from './run-held.ts';
import { runTool } from './run-tool.ts';
import { findSandbox, limitProcessors, type Sandbox } from './sandbox.ts';
import { walls } from './standing-walls.ts';

let data: string;
let sandbox: Sandbox;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'rushes-sandbox-'));
  await chmod(data, 0o700);
  sandbox = await findSandbox(data);
});
afterAll(() => rm(data, { recursive: true, force: true }));

const limits = { memoryBytes: 2 ** 30, cpuSeconds: 60, fileBytes: 10_000_000 };
const shell = (script: string, files: { inputs?: string[]; outputs?: string[] } = {}) => ({
  command: '/bin/sh',
  args: ['-c', script, 'sh', ...(files.inputs ?? []), ...(files.outputs ?? [])],
  programs: [],
  inputs: [],
  outputs: [],
  limits,
  ...files,
});
const quickly = { timeoutMs: 20_000 };
/** Where a machine allows no namespaces at all there is nothing to promise, and a start says so. */
const hasWalls = (skip: (why: string) => never) => sandbox.walls.includes('files') || skip('this machine allows no namespaces');

test('a decoder sees its film, its own folder and programs; neither the archive around it nor any setting', async ({ skip }) => {
  hasWalls(skip);
  const [film, out, secret] = [join(data, 'film'), join(data, 'out'), join(data, 'secrets.json')];
  await writeFile(film, 'film', { mode: 0o600 });
  await writeFile(secret, 'secret', { mode: 0o644 });
  await mkdir(out, { mode: 0o700 });
  vi.stubEnv('RUSHES_TEST_SECRET', 'secret');
  const script =
    'cat "$1"; echo; ls -A "$(dirname "$1")" | sort; env | cut -d= -f1 | sort; ls -A /; echo drawn >"$2/picture"; echo no >"$1"; true';
  const { stdout } = await sandbox.run(shell(script, { inputs: [film], outputs: [out] }), quickly);
  vi.unstubAllEnvs();
  const lines = stdout.split('\n');
  expect(lines.slice(0, 3)).toEqual(['film', 'film', 'out']);
  expect(lines.filter((line) => /^[A-Z_]+$/.test(line)).filter((name) => !['_', 'OLDPWD'].includes(name))).toEqual([
    'HOME',
    'LANG',
    'PATH',
    'PWD',
  ]);
  for (const unseen of ['home', 'root', 'var', 'mnt', 'old']) expect(lines).not.toContain(unseen);
  expect(await readFile(film, 'utf8')).toBe('film');
  expect(await readFile(join(out, 'picture'), 'utf8')).toBe('drawn\n');
  expect(await stat(join(out, 'picture'))).toMatchObject({ uid: process.getuid?.(), gid: process.getgid?.() });
});

test.for(['archive', 'the archive'])('an archive that lies among programs is hidden all the same: %s', async (name, { skip }) => {
  hasWalls(skip);
  const [programs, archive] = [join(data, 'programs'), join(data, 'programs', name)];
  const film = join(archive, 'film');
  await mkdir(archive, { recursive: true });
  await writeFile(film, 'film');
  await writeFile(join(archive, 'secrets.json'), 'secret');
  const within = await findSandbox(archive);
  const { stdout } = await within.run({ ...shell('ls "$(dirname "$1")"', { inputs: [film] }), programs: [programs] }, quickly);
  expect(stdout).toBe('film\n');
});

test('every wall was tried by a program that runs as a decoder does, and stands', ({ skip }) => {
  hasWalls(skip);
  expect(sandbox.walls).toEqual(walls);
});

// As a unit of systemd, a container and the drivers of graphics cards do.
const mountsBelow = ['mount --bind /proc/sys /proc/sys', 'mount --bind /usr/bin/env /usr/bin/env'];

test('an ordinary user has every wall where something is mounted below /proc and below what a decoder is shown', ({ skip }) => {
  if (process.getuid?.() !== 0) skip('only root may mount anything there');
  const found = (mounts: string[]) =>
    asOrdinaryUser(mounts, `console.log((await findSandbox(process.env.HOME + '/archive')).walls.join());`);
  const without = found([]);
  if (!without.includes('files')) skip('this machine allows an ordinary user no namespaces');
  expect(found(mountsBelow)).toBe(without);
});

test('what is mounted below a program is no more writable to a decoder than the program', ({ skip }) => {
  if (process.getuid?.() !== 0) skip('only root may mount anything there');
  const programs = 'mkdir $HOME/programs "$HOME/programs/a disk"; mount -t tmpfs -o mode=1777 tmpfs "$HOME/programs/a disk"';
  const tried = asOrdinaryUser(
    [programs],
    `const { run, walls } = await findSandbox(process.env.HOME + '/archive');
     const programs = process.env.HOME + '/programs';
     const script = 'cd "$1/a disk" && (touch left 2>/dev/null && echo written || echo kept)';
     const call = { command: '/bin/sh', args: ['-c', script, 'sh', programs], programs: [programs], inputs: [], outputs: [] };
     const { stdout } = await run({ ...call, limits: ${JSON.stringify(limits)} }, ${JSON.stringify(quickly)});
     console.log(walls.includes('files') ? stdout : 'no walls');`,
  );
  if (tried === 'no walls') skip('this machine allows an ordinary user no namespaces');
  expect(tried).toBe('kept');
});

/** What a module says that an ordinary user runs, with `findSandbox` and a HOME of its own, after root has mounted something. */
function asOrdinaryUser(mounts: string[], module: string): string {
  const user = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath, '--input-type=module', '-e'];
  const script = [
    ...['set -e', 'export HOME=$(mktemp -d)', 'chown 65534:65534 "$HOME"', ...mounts],
    // It would do as well.
    '[ ! -e /usr/bin/bwrap ] || mount --bind /dev/null /usr/bin/bwrap',
    'trap \'umount -R "$HOME"/* 2>/dev/null; rm -rf "$HOME"\' EXIT',
    '"$@"',
  ];
  const whole = `import { findSandbox } from ${JSON.stringify(join(import.meta.dirname, 'sandbox.ts'))};${module}`;
  const { stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', script.join('\n'), 'sh', ...user, whole], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trim();
}

test('a link that a decoder leaves in its folder is never followed: it is an error', async ({ skip }) => {
  hasWalls(skip);
  const out = join(data, 'linked');
  await mkdir(out);
  const run = sandbox.run(shell(`ln -s ${data}/secrets.json "$1/poster.jpg"`, { outputs: [out] }), quickly);
  await expect(run).rejects.toThrow('no plain file');
});

test('a path that reads as shell text is nothing but a path', async ({ skip }) => {
  hasWalls(skip);
  const odd = join(data, '$(touch pwned) `id`; "x" -- \n*');
  await writeFile(odd, 'odd');
  expect((await sandbox.run(shell('cat "$1"', { inputs: [odd] }), quickly)).stdout).toBe('odd');
});

test.for([
  ['kept by what this machine offers', () => sandbox.run(glutton, quickly)],
  ['kept by watching it', () => runWatched()],
] as const)('a tool that takes more memory than it may is ended, %s', async ([, run], { skip }) => {
  if (process.platform !== 'linux') skip('there is no /proc');
  expect(await run()).toMatchObject({ overrun: 'memory' });
});

const glutton = {
  command: process.execPath,
  programs: [],
  inputs: [],
  outputs: [],
  args: [
    '-e',
    'const all = []; const more = () => { all.push(Buffer.alloc(8e6, 1)); if (all.length < 200) setTimeout(more, 5); }; more();',
  ],
  limits: { ...limits, memoryBytes: 256 * 1024 ** 2 },
};

async function runWatched() {
  await using bound = await watchedMemory.open(glutton.limits.memoryBytes);
  return await runTool({ ...glutton, ...quickly, env: {}, isOverMemory: bound.isOver });
}

test('work on a film that stands still is ended, and may be tried again', async () => {
  const film = join(data, 'still');
  await writeFile(film, '');
  const stuck = { command: '/bin/sh', args: ['-c', 'while true; do echo 1; sleep 0.05; done'], onLine: Number };
  const input = { path: film, timeoutMs: 60_000, silenceMs: 600 };
  await expect(runHeld(sandbox, input, stuck)).rejects.toMatchObject({ kind: { is: 'try-again', code: 'processing_timeout' } });
});

test('work on a film that takes longer than it may is ended, and may be tried again, whether it tells how far it is or not', async () => {
  const film = join(data, 'long');
  await writeFile(film, '');
  const long = { command: '/bin/sh', args: ['-c', 'sleep 20'] };
  await expect(runHeld(sandbox, { path: film, timeoutMs: 500 }, long)).rejects.toMatchObject({ kind: { is: 'try-again' } });
});

test('work that gets further is left alone for as long as that takes', async () => {
  const film = join(data, 'slow');
  await writeFile(film, '');
  const slow = { command: '/bin/sh', args: ['-c', 'for n in 1 2 3 4 5 6; do echo $n; sleep 0.4; done'], onLine: Number };
  const seconds: number[] = [];
  const input = { path: film, timeoutMs: 60_000, silenceMs: 2_000, onSecond: (second: number) => void seconds.push(second) };
  expect(await runHeld(sandbox, input, slow)).toMatchObject({ exitCode: 0 });
  expect(seconds).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a worker that is killed leaves no decoder behind', { timeout: 90_000 }, async ({ skip }) => {
  hasWalls(skip);
  const mark = `rushes-left-${process.pid}`;
  const sandboxFile = join(import.meta.dirname, 'sandbox.ts');
  const call = shell(`: ${mark}; while true; do sleep 1; done`);
  const script =
    `import { findSandbox } from ${JSON.stringify(sandboxFile)};` +
    `await (await findSandbox(${JSON.stringify(data)})).run(${JSON.stringify(call)}, { timeoutMs: 600_000 });`;
  const worker = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  await until(async () => (await commandLinesWith(mark)).some((line) => line.startsWith('/bin/sh')));
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  await until(async () => (await commandLinesWith(mark)).length === 0);
});

/** Of all processes but this one and the worker, whose own argument holds the mark as well. */
async function commandLinesWith(mark: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes(mark) && !line.includes('findSandbox'));
}

test('another worker that starts leaves the bound of a decoder that is about to begin', async ({ skip }) => {
  const memory = await findBoundMemory();
  await using bound = await memory.open(limits.memoryBytes);
  if (bound.words.length === 0) skip('the kernel bounds no memory here');
  await findBoundMemory();
  const [command = '', ...args] = [...bound.words, 'true'];
  expect((await runTool({ command, args, env: { PATH: '/usr/bin:/bin' }, ...quickly })).exitCode).toBe(0);
});

test('a decoder that loses its bound before it begins ends with a code that is no verdict on the footage', async ({ skip }) => {
  const bound = await (await findBoundMemory()).open(limits.memoryBytes);
  await bound[Symbol.asyncDispose]();
  if (bound.words.length === 0) skip('the kernel bounds no memory here');
  const [command = '', ...args] = [...bound.words, 'true'];
  expect((await runTool({ command, args, env: { PATH: '/usr/bin:/bin' }, ...quickly })).exitCode).toBe(notHeldCode);
});

test('tools get the share of the processors that an operator gives them, one at least', async () => {
  const count = { ...shell('nproc'), limits };
  const all = Number((await sandbox.run(count, quickly)).stdout);
  expect(await limitProcessors(0.01, { PATH: '/usr/bin:/bin' })).toEqual(['taskset', '-c', expect.stringMatching(/^\d+$/)]);
  const half = await findSandbox(data, 0.5);
  expect(Number((await half.run(count, quickly)).stdout)).toBe(Math.ceil(all / 2));
});
