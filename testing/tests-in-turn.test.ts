import { existsSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { testsInTurn, testsLeftOut, turnsInAll } from './tests-in-turn.ts';

afterEach(() => vi.unstubAllEnvs());

const guards =
  /^(testing\/(kills|trust|machines)|domain\/(db|signin|tokens|users))\/|guest|role|token|private|public|withdrawn|revo|forget|bounds|sandbox|provider|visib/;

test('what runs in turn is there, once, and is nothing that guards who sees what or kills the archive at work', () => {
  expect(testsInTurn.filter((file, place) => !existsSync(file) || testsInTurn.indexOf(file) !== place || guards.test(file))).toEqual([]);
});

test('in so many turns each of them runs once, and a run that asks for no share leaves out none', () => {
  vi.stubEnv('RUSHES_TEST_LONG', 'share');
  const left = Array.from({ length: turnsInAll }, (_, n) => testsLeftOut(20_784 + n));
  for (const file of testsInTurn) expect(left.filter((files) => files.includes(file))).toHaveLength(turnsInAll - 1);
  vi.stubEnv('RUSHES_TEST_LONG', 'all');
  expect(testsLeftOut()).toEqual([]);
});
