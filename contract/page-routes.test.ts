import { expect, test } from 'vitest';
import { z } from 'zod';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { toSafeReturnUrl } from './page-routes.ts';

const Entry = z.object({
  id: z.string(),
  value: z.unknown().optional(),
  enc: z.string().optional(),
  rawQuery: z.string().optional(),
  expect: z.enum(['keep', 'fallback']),
  result: z.string(),
});
const entries = readCorpus('open-redirect', Entry);

test('the whole corpus of return addresses is there', () => {
  expect(entries).toHaveLength(206);
});

test.each(entries)('the return address $id leads to $result', (entry) => {
  for (const value of spellings(entry)) expect(toSafeReturnUrl(value)).toBe(entry.result);
});

test('a value that is no text leads home', () => {
  for (const value of [undefined, null, 7, {}, ['/search', '//evil.example']]) expect(toSafeReturnUrl(value)).toBe('/');
});

/** The value as written, and as a page or a server reads it out of the address. */
function spellings(entry: z.infer<typeof Entry>): unknown[] {
  const query = entry.rawQuery ?? `returnUrl=${entry.enc}`;
  const all = new URLSearchParams(query).getAll('returnUrl');
  const read = all.length > 1 ? [all, all.at(-1)] : all;
  return 'value' in entry ? [entry.value, ...read] : read;
}
