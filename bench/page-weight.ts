import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { z } from 'zod';

/*
 * Weighs what a browser loads first for each page, as gzip sends it: the entry, what it imports, and the page's own part
 * where that comes by itself. One JSON line per page.
 */

const Manifest = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]), css: z.array(z.string()).default([]) }),
);
type Manifest = z.infer<typeof Manifest>;

/** Home and search are part of the site's entry; the video page is a part of its own. */
const pages = [
  { page: '/', parts: ['index.html'] },
  { page: '/search', parts: ['index.html'] },
  { page: '/video/x', parts: ['index.html', 'pages/video/video-page.tsx'] },
  { page: 'player frame', parts: ['embed/player.html'] },
  { page: 'insights frame', parts: ['embed/insights.html'] },
];

const folder = mkdtempSync(join(tmpdir(), 'rushes-page-weight-'));
try {
  await build({ logLevel: 'error', build: { outDir: folder, emptyOutDir: true } });
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8')));
  for (const { page, parts } of pages) console.log(JSON.stringify({ page, ...weigh(manifest, parts) }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function weigh(manifest: Manifest, parts: readonly string[]): { jsKB: number; cssKB: number } {
  const chunks = chunksOf(manifest, parts);
  return { jsKB: kilobytes(chunks.map(({ file }) => file)), cssKB: kilobytes(chunks.flatMap(({ css }) => css)) };
}

/** These parts and everything they import at once. */
function chunksOf(manifest: Manifest, parts: readonly string[]): Manifest[string][] {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const imported of chunk(manifest, name).imports) visit(imported);
  };
  for (const part of parts) visit(part);
  return [...found].map((name) => chunk(manifest, name));
}

function chunk(manifest: Manifest, name: string): Manifest[string] {
  const known = manifest[name];
  if (!known) throw new Error(`The build has no part "${name}". Has the page moved? Correct the list above.`);
  return known;
}

function kilobytes(files: readonly string[]): number {
  const bytes = [...new Set(files)].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
  return Math.round(bytes / 100) / 10;
}
