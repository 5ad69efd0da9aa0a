// Adds to package-lock.json the optional platform packages that a registry without them left out: npm 11 refuses a lock file that lacks one.
// Plain Node, no dependencies: `node scripts/complete-lock.mjs` after every change of dependencies; `--check` only says what is missing.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(file, 'utf8'));
const missing = missingEntries(lock.packages);

if (process.argv.includes('--check')) {
  for (const { name, version } of missing) console.info(`missing ${name}@${version}`);
  process.exitCode = missing.length > 0 ? 1 : 0;
} else {
  for (const { name, version } of missing) lock.packages[`node_modules/${name}`] = entryFor(name, version);
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
console.info(`${missing.length} optional entries ${process.argv.includes('--check') ? 'missing' : 'added'}`);

function missingEntries(packages) {
  const present = Object.keys(packages);
  const wanted = Object.values(packages).flatMap((entry) => Object.entries(entry.optionalDependencies ?? {}));
  return wanted
    .filter(([name]) => !present.some((key) => key.endsWith(`node_modules/${name}`)))
    .map(([name, version]) => ({ name, version }));
}

/** The version comes from the package that asks for it, the platform from the name. */
function entryFor(name, version) {
  const os = name.match(/win32|windows|darwin|linux/)?.[0].replace('windows', 'win32');
  const cpu = name.match(/arm64|x64/)?.[0];
  if (!os || !cpu || !/^\d/.test(version)) throw new Error(`cannot complete ${name}@${version}: add its entry by hand`);
  const libc = /musl/.test(name) ? { libc: ['musl'] } : /gnu/.test(name) ? { libc: ['glibc'] } : {};
  return { version, cpu: [cpu], ...libc, optional: true, os: [os] };
}
