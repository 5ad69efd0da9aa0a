// Makes package-lock.json whole for every platform. npm leaves optional packages of other platforms out where a registry does not offer them,
// and npm 11 refuses a lock file that lacks one which another package asks for. What the registry has is added with its integrity; what
// nobody has published is asked for no more, so that nothing can ever be installed under its name unseen.
// Plain Node, no dependencies: `node scripts/complete-lock.mjs` after every change of dependencies; `--check` only says what is wrong.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(file, 'utf8'));
const faulty = [...missingEntries(lock.packages), ...unprovedEntries(lock.packages)];

if (process.argv.includes('--check')) {
  for (const { name, version } of faulty) console.info(`missing, or without integrity: ${name}@${version}`);
  process.exitCode = faulty.length > 0 ? 1 : 0;
} else {
  for (const { name, version } of faulty) complete(name, version);
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
console.info(`${faulty.length} optional entries ${process.argv.includes('--check') ? 'missing or without integrity' : 'looked up'}`);

function missingEntries(packages) {
  const present = Object.keys(packages);
  const wanted = Object.values(packages).flatMap((entry) => Object.entries(entry.optionalDependencies ?? {}));
  return wanted
    .filter(([name]) => !present.some((key) => key.endsWith(`node_modules/${name}`)))
    .map(([name, version]) => ({ name, version }));
}

function unprovedEntries(packages) {
  return Object.entries(packages)
    .filter(([key, { integrity }]) => key !== '' && !integrity)
    .map(([key, { version }]) => ({ name: key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length), version }));
}

function complete(name, version) {
  const key = `node_modules/${name}`;
  const integrity = publishedIntegrity(name, version);
  if (integrity) {
    lock.packages[key] = { ...(lock.packages[key] ?? entryFor(name, version)), integrity };
    console.info(`added ${name}@${version}`);
    return;
  }
  delete lock.packages[key];
  for (const { optionalDependencies } of Object.values(lock.packages)) if (optionalDependencies) delete optionalDependencies[name];
  console.info(`nobody has published ${name}@${version}: its platform is not supported`);
}

/** Undefined when the registry says that there is no such version; any other trouble ends this, so that nothing is left out by mistake. */
function publishedIntegrity(name, version) {
  const asked = spawnSync('npm', ['view', `${name}@${version}`, 'dist.integrity', '--json'], { encoding: 'utf8' });
  if (asked.status === 0 && asked.stdout.trim() !== '') return JSON.parse(asked.stdout);
  if (asked.status === 0 || /E404/.test(asked.stdout + asked.stderr)) return undefined;
  throw new Error(`npm view ${name}@${version}: ${asked.stderr}`);
}

/** The version comes from the package that asks for it, the platform from the name. */
function entryFor(name, version) {
  const os = name.match(/win32|windows|darwin|linux/)?.[0].replace('windows', 'win32');
  const cpu = name.match(/arm64|x64/)?.[0];
  if (!os || !cpu || !/^\d/.test(version)) throw new Error(`cannot complete ${name}@${version}: add its entry by hand`);
  const libc = /musl/.test(name) ? { libc: ['musl'] } : /gnu/.test(name) ? { libc: ['glibc'] } : {};
  return { version, cpu: [cpu], ...libc, optional: true, os: [os] };
}
