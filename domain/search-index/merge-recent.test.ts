import { expect, test } from 'vitest';
import { shouldMerge } from './merge-recent.ts';

test.each([
  ['a small archive keeps them', { mainRows: 5_000, recentRows: 9_000 }, { idle: false, busy: false }],
  ['a small archive takes them in', { mainRows: 5_000, recentRows: 11_000 }, { idle: true, busy: true }],
  ['a larger one keeps few of them', { mainRows: 1_000_000, recentRows: 15_000 }, { idle: false, busy: false }],
  ['a larger one takes more of them in when there is time', { mainRows: 1_000_000, recentRows: 25_000 }, { idle: true, busy: false }],
  ['no archive keeps more than fit in memory', { mainRows: 10_000_000, recentRows: 101_000 }, { idle: true, busy: true }],
])('recent rows join the main ones when they are many for the archive: %s', (_, rows, expected) => {
  const state = { format: 0, generation: '', batch: 0, recent: 0, versions: {}, rowWords: { bytes: 0, rows: 0 }, files: null, ...rows };
  expect({ idle: shouldMerge({ state }, { idle: true }), busy: shouldMerge({ state }, { idle: false }) }).toEqual(expected);
});
