import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'scale.ts'), '--transcripts', 'none', ...args], { encoding: 'utf8' });

test('the benchmark of scale measures each size, and tells by how much one is more than the one before', { timeout: 180_000 }, () => {
  const { stdout, stderr } = run('--sizes', '40,80', '--moments', '20', '--questions', '4');
  const lines = stdout.trim().split('\n');
  expect([lines.length, stderr]).toEqual([3, expect.stringContaining('made-up text')]);
  const above = z.number().positive();
  const Size = z.looseObject({
    check: z.literal('scale'),
    moments: z.literal(20),
    indexMB: above,
    indexMomentsPerS: above,
    rssMB: above,
    p95Ms: above,
  });
  const [small, large, growth] = lines.map((line) => JSON.parse(line));
  expect([Size.parse(small).videos, Size.parse(large).videos]).toEqual([40, 80]);
  expect(growth).toMatchObject({ check: 'scale-growth', fromVideos: 40, toVideos: 80, moments: 2 });
  expect(growth.indexMB).toBeCloseTo(large.indexMB / small.indexMB, 1);
});

test('a size that the disk has no room for, or that nobody said where to keep, is not begun', () => {
  const keep = mkdtempSync(join(tmpdir(), 'rushes-scale-'));
  const tooLarge = run('--videos', '1000000000', '--keep', keep);
  expect([tooLarge.status, tooLarge.stderr]).toEqual([1, expect.stringMatching(/^This takes about \d+(\.\d)? GB, and .* GB left\./)]);
  expect(readdirSync(keep)).toEqual([]);
  const unkept = run('--videos', '1000000');
  expect([unkept.status, unkept.stdout, unkept.stderr]).toEqual([1, '', expect.stringContaining('--keep')]);
  expect(run('--sizes', '39').stderr).toContain('from 40 up');
  rmSync(keep, { recursive: true });
});
