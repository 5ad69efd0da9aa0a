import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { parseBrandList } from '#domain/brands/brand-list.ts';
import { findBrands } from '#domain/brands/find-brands.ts';
import type { Moment } from '#domain/moments/moment.ts';
import { rounded } from './understanding-bench.ts';

const Talk = z.object({
  lines: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })),
  brands: z.array(z.object({ name: z.string(), mentions: z.number(), at: z.array(z.number()) })),
});
type Talk = z.infer<typeof Talk>;

const list = join(import.meta.dirname, '..', '..', 'domain', 'brands', 'brand-list.txt');
const child = join(import.meta.dirname, 'brands-child.ts');

/** The brands named in the lines of the talks; those that their truth knows nothing of anywhere are left out. */
export function measureBrands(media: string): object {
  const talks = ['corpus-open.jsonl.gz', 'corpus-open-more.jsonl.gz'].flatMap((name) => readTalks(join(media, name)));
  const known = new Set(talks.flatMap(({ brands }) => brands.map(({ name }) => name.toLowerCase())));
  const brands = parseBrandList(readFileSync(list, 'utf8')).filter(({ name }) => known.has(name.toLowerCase()));
  const startMs = performance.now();
  const counts = { right: 0, wrong: 0, missed: 0 };
  for (const talk of talks) {
    const found = new Set(findBrands(momentsOf(talk), brands).map(({ brand, moment }) => keyOf(brand, moment.startMs)));
    const truth = new Set(talk.brands.flatMap(({ name, at }) => at.map((second) => keyOf(name, Math.round(second * 1_000)))));
    // The truth names no more than some of the lines of a brand that is named often.
    const sampled = new Set(talk.brands.filter(({ mentions, at }) => mentions > at.length).map(({ name }) => name.toLowerCase()));
    for (const one of found) {
      if (truth.has(one)) counts.right++;
      else if (!sampled.has(one.split('@')[0] ?? '')) counts.wrong++;
    }
    for (const one of truth) if (!found.has(one)) counts.missed++;
  }
  const tookSeconds = (performance.now() - startMs) / 1_000;
  const seconds = talks.reduce((sum, { lines }) => sum + (lines.at(-1)?.end ?? 0), 0);
  return {
    step: 'brands',
    set: 'corpora',
    lines: counts.right + counts.missed,
    recall: rounded(counts.right / (counts.right + counts.missed)),
    precision: rounded(counts.right / (counts.right + counts.wrong)),
    realTimeFactor: Math.round(seconds / tookSeconds),
    peakRssMB: memoryOf(talks),
  };
}

/** What a process holds that looks through the longest of the talks, and has none of the others; null where the system does not tell. */
function memoryOf(talks: readonly Talk[]): number | null {
  const longest = talks.reduce((one, other) => (other.lines.length > one.lines.length ? other : one));
  const { stdout } = spawnSync(process.execPath, [child, list], { input: JSON.stringify(momentsOf(longest)) });
  return Number(stdout.toString()) || null;
}

function readTalks(path: string): Talk[] {
  const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n');
  return lines.map((line) => Talk.parse(JSON.parse(line)));
}

function momentsOf({ lines }: Talk): Moment[] {
  return lines.map(({ start, end, text }) => ({
    kind: 'Transcript',
    source: 'sidecar',
    confidencePercent: 100,
    text,
    startMs: Math.round(start * 1_000),
    endMs: Math.round(end * 1_000),
  }));
}

function keyOf(brand: string, startMs: number): string {
  return `${brand.toLowerCase()}@${startMs}`;
}
