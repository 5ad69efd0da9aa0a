import { expect, test } from 'vitest';
import { matchKinds } from '#contract/match-kinds.ts';
import { requireIcon } from './icon.tsx';

test('8.8 an icon name that is not registered raises an error', () => {
  expect(() => requireIcon('flux-capacitor')).toThrow('"flux-capacitor" is not registered');
  expect(() => requireIcon('constructor')).toThrow('not registered');
});

test('every kind of match has a registered icon', () => {
  for (const { icon } of Object.values(matchKinds)) expect(requireIcon(icon)).toBeDefined();
});
