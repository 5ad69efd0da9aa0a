import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { judge, type Need, readNeedsBySet } from './find-needs.ts';

const folder = await mkdtemp(join(tmpdir(), 'rushes-needs-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const need = (set: string, toleranceSeconds: number | null) => ({
  set,
  id: `${set}1`,
  query: 'a need',
  kind: 'phrase',
  toleranceSeconds,
  expect: { doc: 'film', startSeconds: 100 },
});

test('every set of a file is asked, each need by its own tolerance, and transcripts last', async () => {
  const path = join(folder, 'needs.jsonl');
  const needs = [need('transcript', 8), need('meaning', 20), need('clip', null), need('transcript', 4)];
  await writeFile(path, needs.map((one) => JSON.stringify(one)).join('\n'));
  const bySet = readNeedsBySet(path);
  expect([...bySet].map(([set, { length }]) => [set, length])).toEqual([
    ['meaning', 1],
    ['clip', 1],
    ['transcript', 2],
  ]);
  const isRight = (one: Need) => judge(one, [{ doc: 'film', matchSeconds: [113] }]).rightSecond;
  expect([...bySet.values()].map((some) => some.map(isRight))).toEqual([[true], [true], [false, false]]);
});
