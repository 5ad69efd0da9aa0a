import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const Named = z.object({ name: z.string() });
const names = z.array(Named).default([]);
const Report = z.object({
  issues: z.array(
    z.object({
      file: z.string(),
      exports: names,
      types: names,
      files: names,
      dependencies: names,
      devDependencies: names,
    }),
  ),
});

export interface Unused {
  /** As `file name`; a file that nothing leads to is named alone. */
  readonly exports: string[];
  readonly dependencies: string[];
}

/** Asks knip what is exported below `root` and used nowhere else, tests included, and which packages nothing uses. Throws when knip cannot say. */
export function findUnused(root: string): Unused {
  const knip = join(resolve(import.meta.dirname, '..', '..'), 'node_modules', 'knip', 'bin', 'knip.js');
  const include = 'files,exports,types,dependencies';
  const args = [
    knip,
    '--directory',
    root,
    '--include',
    include,
    '--reporter',
    'json',
    '--no-exit-code',
    '--no-config-hints',
    '--no-progress',
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 64_000_000 });
  if (status !== 0) throw new Error(`knip ended with ${status}:\n${stderr}`);
  const { issues } = Report.parse(JSON.parse(stdout));
  return {
    exports: issues.flatMap(({ file, exports, types, files }) => [
      ...files.map(() => file),
      ...[...exports, ...types].map(({ name }) => `${file} ${name}`),
    ]),
    dependencies: issues.flatMap(({ dependencies, devDependencies }) => [...dependencies, ...devDependencies].map(({ name }) => name)),
  };
}
