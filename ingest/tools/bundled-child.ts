import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, glob, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { runTool } from './run-tool.ts';

const root = resolve(import.meta.dirname, '..', '..');
const bundler = join(import.meta.dirname, 'bundle-child.ts');
const bundlingMs = 120_000;
const keptMs = 7 * 24 * 60 * 60 * 1_000;

/**
 * The module that a child starts with: the one named, until it has been written into one file together with all that it loads, which starts
 * in half the time. Where that cannot be done (no bundler, a folder that nobody may write to) things stay as they are.
 */
export function bundledChild(module: string): () => string {
  let bundle: string | undefined;
  bundleOf(module).then(
    (made) => (bundle = made),
    () => {},
  );
  // Whoever clears the caches of a running archive takes no film from it.
  return () => (bundle !== undefined && existsSync(bundle) ? bundle : module);
}

/** The bundle of a module as its sources are now; made when there is none yet. */
async function bundleOf(module: string): Promise<string> {
  const name = basename(module, '.ts');
  const cache = join(root, 'node_modules', '.cache');
  const folder = join(cache, 'children', `${name}-${await sourcesHash()}`);
  const bundle = join(folder, `${name}.js`);
  await mkdir(join(cache, 'children'), { recursive: true });
  for (const path of [cache, join(cache, 'children')]) await letOthersPass(path);
  if (existsSync(bundle)) return bundle;
  // Made beside and moved into place: several workers may begin at once.
  const draft = `${folder}-${process.pid}`;
  try {
    await mkdir(draft, { recursive: true });
    const { exitCode } = await runTool({ command: process.execPath, args: [bundler, module, draft], env: {}, timeoutMs: bundlingMs });
    if (exitCode !== 0) throw new Error(`${module} could not be bundled`);
    for (const path of [draft, join(draft, basename(bundle))]) await letOthersPass(path);
    await rename(draft, folder).catch(() => {});
    await sweepOld(join(folder, '..'));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return bundle;
}

/** Decoders may run as another user, and an archive makes what it makes for its own user alone. */
async function letOthersPass(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o055) !== 0o055) await chmod(path, (mode & 0o7777) | 0o055);
}

/** Bundles of sources that have changed since. */
async function sweepOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if ((await stat(path)).mtimeMs < Date.now() - keptMs) await rm(path, { recursive: true, force: true });
  }
}

async function sourcesHash(): Promise<string> {
  const hash = createHash('sha256');
  const files = await Array.fromAsync(glob('{contract,domain,ingest}/**/*.ts', { cwd: root }));
  for (const file of [...files.sort(), 'package-lock.json']) {
    const { size, mtimeMs } = await stat(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
