import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'rushes-rules-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const manyLines = Array.from({ length: 61 }, (_, n) => `  console.info(${n});`).join('\n');

/** A file that breaks one rule, and the rule that must answer. */
const violations: [rule: string, file: string, text: string][] = [
  ['noRestrictedImports', 'contract/a.ts', `import { b } from '#domain/db/sql.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'contract/b.ts', `import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n`],
  ['noRestrictedImports', 'domain/search/a.ts', `import { b } from '#server/app.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'domain/search/b.ts', `import { b } from '../../ingest/pipeline.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'domain/search/c.ts', `import { spawn } from 'node:child_process';\nexport const a = spawn;\n`],
  ['noRestrictedImports', 'domain/users/a.ts', `import fastify from 'fastify';\nexport const a = fastify;\n`],
  ['noRestrictedImports', 'domain/db/a.ts', `import { b } from '../search/search-videos.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'domain/system/a.ts', `import { b } from '../db/sql.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'domain/archive/a.ts', `import { b } from '../videos/video.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'domain/files/a.ts', `import { b } from '../archive/open-archive.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'domain/db/b.ts', `import { spawn } from 'node:child_process';\nexport const a = spawn;\n`],
  ['noRestrictedImports', 'domain/words/a.ts', `import { b } from '../search-index/passages.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'domain/search-index/a.ts', `import { b } from '../search/search-videos.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'domain/search/d.ts', `import { b } from '../unfound/unfound-queries.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'domain/videos/b.ts', `import { b } from '../footage/uploads.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'domain/footage/a.ts', `import { b } from '../search/search-videos.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'domain/unfound/a.ts', `import { b } from '#server/app.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'domain/backup/a.ts', `import { b } from '../videos/video.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'domain/videos/a.ts', `import { b } from '#testing/test-server.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'server/routes/a.ts', `import pg from 'pg';\nexport const a = pg;\n`],
  ['noRestrictedImports', 'server/routes/b.ts', `import { sql } from '#domain/db/sql.ts';\nexport const a = sql;\n`],
  ['noRestrictedImports', 'server/routes/c.ts', `import { b } from '#ingest/pipeline.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'server/routes/d.ts', `import { spawn } from 'node:child_process';\nexport const a = spawn;\n`],
  ['noRestrictedImports', 'ingest/steps/a.ts', `import { b } from '#server/app.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'ingest/steps/b.ts', `import { spawn } from 'node:child_process';\nexport const a = spawn;\n`],
  ['noRestrictedImports', 'server/routes/e.ts', `import { b } from '../../commands/start.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'commands/a.ts', `import { spawn } from 'node:child_process';\nexport const a = spawn;\n`],
  ['noRestrictedImports', 'commands/b.ts', `import { sql } from '#domain/db/sql.ts';\nexport const a = sql;\n`],
  ['noRestrictedImports', 'commands/start.ts', `import { b } from '#ingest/pipeline.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'web/a.ts', `import { b } from '#domain/videos/video.ts';\nexport const a = b;\n`],
  ['noRestrictedImports', 'web/pages/home/a.ts', `import { b } from '../search/result-card.tsx';\nexport const a = b;\n`],
  ['noRestrictedImports', 'web/ui/a.ts', `import { useQuery } from '@tanstack/react-query';\nexport const a = useQuery;\n`],
  ['noRestrictedImports', 'web/ui/b.ts', `import { b } from '#contract/limits.ts';\nexport const a = b;\n`],
  ['noRestrictedGlobals', 'web/b.ts', `export const a = fetch('/api/session');\n`],
  ['noRestrictedGlobals', 'domain/users/b.ts', `export const a = fetch('https://example.test');\n`],
  ['noProcessEnv', 'server/a.ts', `export const a = process.env.PORT;\n`],
  ['noBarrelFile', 'domain/users/index.ts', `export { a } from './a.ts';\nexport { b } from './b.ts';\n`],
  ['noReExportAll', 'domain/users/c.ts', `export * from './a.ts';\n`],
  ['noDefaultExport', 'server/b.ts', `export default 1;\n`],
  ['useFilenamingConvention', 'server/camelCase.ts', `export const a = 1;\n`],
  ['noExcessiveLinesPerFile', 'server/c.ts', `${'export const a = 1;\n'.repeat(301)}`],
  ['noExcessiveLinesPerFunction', 'server/d.ts', `export function a() {\n${manyLines}\n}\n`],
  ['useMaxParams', 'server/e.ts', `export const a = (b: number, c: number, d: number, e: number) => b + c + d + e;\n`],
  ['useAwait', 'server/f.ts', `export async function a() {\n  return 1;\n}\n`],
  ['noFocusedTests', 'server/g.test.ts', `import { test } from 'vitest';\ntest.only('a', () => {});\n`],
  ['plugin', 'contract/c.ts', `import { z } from 'zod';\nexport const a = z.string().max(100);\n`],
  ['plugin', 'server/routes/f.ts', `import { z } from 'zod';\nexport const a = z.array(z.string()).max(2 * 1_000);\n`],
  ['plugin', 'server/i.ts', `export const a = { ...{ b: 1 }, c: 2 };\n`],
  ['noExplicitAny', 'server/h.ts', `export const a = (b: any) => b;\n`],
];

test('every rule answers to what breaks it', () => {
  const output = lint(Object.fromEntries(violations.map(([_rule, file, text]) => [file, text])));
  const answered = new Set(output.split('\n').map((line) => line.replace(/^(\S+?)(:\d+)* (?:lint\/\w+\/)?(\w+).*/, '$3 answers to $1')));
  expect(violations.map(([rule, file]) => `${rule} answers to ${file}`).filter((one) => !answered.has(one))).toEqual([]);
});

test('a schema may refuse by a limit that has a name, or by one digit', () => {
  const output = lint({
    'contract/d.ts': `import { z } from 'zod';\nimport { limits } from './limits.ts';\nexport const a = z.array(z.string().max(2 * limits.pageSizeMax)).max(5);\n`,
    'contract/e.ts': `export const a = Math.max(20, 30);\n`,
    'domain/users/d.ts': `export const a = Math.max(20, 30);\n`,
  });
  expect(output).not.toContain(' plugin ');
});

test('noImportCycles answers to two files that import each other', () => {
  const output = lint({
    'server/one.ts': `import { two } from './two.ts';\nexport const one = () => two;\n`,
    'server/two.ts': `import { one } from './one.ts';\nexport const two = () => one;\n`,
  });
  expect(output).toContain('/noImportCycles');
});

test('a page may import a shared component, and ingest/tools may start a process', () => {
  const output = lint({
    'web/pages/home/b.ts': `import { b } from '../../components/video-card.tsx';\nexport const a = b;\n`,
    'ingest/tools/a.ts': `import { spawn } from 'node:child_process';\nexport const a = spawn;\n`,
  });
  expect(output).not.toContain('/noRestrictedImports');
});

test.each([
  ['web', 'process', 'tsconfig.web.json', 'web/a.ts', 'export const a = process.pid;\n'],
  ['domain', 'document', 'tsconfig.node.json', 'domain/a.ts', 'export const a = document.title;\n'],
])('%s does not know `%s`: the compiler refuses it', (_area, name, config, file, text) => {
  const folder = mkdtempSync(join(root, 'node_modules', '.rules-'));
  try {
    write(folder, { [file]: text, 'tsconfig.json': JSON.stringify({ extends: join(root, config), include: [file], exclude: [] }) });
    const done = spawnSync(
      join(root, 'node_modules/.bin/tsc'),
      ['-p', folder, '--noEmit', '--composite', 'false', '--incremental', 'false'],
      { encoding: 'utf8' },
    );
    expect(done.stdout).toContain(`'${name}'`);
    expect(done.status).not.toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function lint(files: Record<string, string>): string {
  const folder = mkdtempSync(join(scratch, 'case-'));
  for (const file of ['biome.json', 'scripts/house/no-spread-literal.grit', 'scripts/house/no-bare-limit.grit']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  write(folder, files);
  const done = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', '--vcs-enabled=false', '--max-diagnostics=none', '.'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return done.stdout + done.stderr;
}

function write(folder: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}
