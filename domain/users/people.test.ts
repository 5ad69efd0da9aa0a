import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { removeUser } from './delete-user.ts';
import { displayNameOf, parseDisplayName } from './display-name.ts';
import { parseEmail } from './email.ts';
import { grantAdmin, setRoles } from './roles.ts';

const EmailEntry = z.object({
  value: z.string().optional(),
  expect: z.enum(['accept', 'reject']),
  normalised: z.string().optional(),
  id: z.string(),
});
const NameEntry = z.object({ value: z.string().optional(), stored: z.string().optional(), expect: z.string(), id: z.string() });

test.each(readCorpus('emails', EmailEntry).flatMap(({ value, ...entry }) => (value === undefined ? [] : [{ ...entry, value }])))(
  'an address is taken as a mail system would read it, or not at all: $id',
  ({ value, expect: verdict, normalised }) => {
    if (verdict === 'reject') expect(parseEmail(value)).toBeNull();
    else expect(parseEmail(value)).toBe(normalised ?? value.trim().toLowerCase());
  },
);

test.each(readCorpus('display-names', NameEntry).flatMap(({ value, ...entry }) => (value === undefined ? [] : [{ ...entry, value }])))(
  '3.1 a name is shown as it was meant, or the next one is: $id',
  ({ value, expect: verdict, stored }) => {
    const shown = displayNameOf('a@example.test', value);
    if (stored !== undefined) expect(shown).toBe(stored);
    if (verdict === 'reject') expect(parseDisplayName(value)).toBeNull();
    expect([...shown].length).toBeLessThanOrEqual(80);
  },
);

test('3.1 the display name falls back to the entered name, then to the e-mail', () => {
  expect(displayNameOf('a@example.test', 'Ann', 'Entered')).toBe('Ann');
  expect(displayNameOf('a@example.test', ' \u200b', 'Entered')).toBe('Entered');
  expect(displayNameOf('a@example.test', null, undefined, '')).toBe('a@example.test');
});

test.each([
  { what: 'marks', piece: '\u0301\u0316' },
  { what: 'umlauts', piece: 'ü' },
  { what: 'blanks', piece: ' a' },
])('whole pages of $what in place of a name or an address hold nobody up', ({ piece }) => {
  const text = piece.repeat(90_000);
  // It takes time that grows with the square of the marks.
  const putInOrder = vi.spyOn(String.prototype, 'normalize');
  onTestFinished(() => putInOrder.mockRestore());
  expect([parseDisplayName(`a${text}`), parseEmail(`a@${text}.example`)]).toEqual([null, null]);
  expect([...displayNameOf('a@example.test', `a${text}`)].length).toBeLessThanOrEqual(80);
  expect(putInOrder.mock.contexts.map((one) => String(one).length).filter((length) => length > 2_000)).toEqual([]);
});

test('every change of roles raises the version that tokens carry, and nothing else does', async () => {
  const database = await createTestDatabase();
  try {
    const { uid } = await grantAdmin(database.pool, 'ann@example.test');
    const version = async () => (await database.pool.query('select auth_version as v from users')).rows[0]?.v;
    const first = await version();
    await grantAdmin(database.pool, 'ann@example.test');
    expect(await version()).toBe(first);
    await setRoles(database.pool, uid, { viewer: true });
    expect(await version()).toBe(first + 1);
    await database.pool.query("update users set name = 'Ann'");
    expect(await version()).toBe(first + 1);
    expect(await removeUser(database.pool, uid)).toBe(true);
    expect(await removeUser(database.pool, uid)).toBe(false);
  } finally {
    await database.drop();
  }
});
