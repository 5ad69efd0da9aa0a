import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

test('a search made before it is known who is at the page joins those of whoever it is', async () => {
  const kept = new Map([['rushes-recent-searches', JSON.stringify({ of: 'edda', searches: ['tram', 'harbour'] })]]);
  const localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  vi.stubGlobal('window', { localStorage });
  // As the page begins, whoever another test had there.
  vi.resetModules();
  const { readRecentSearches, rememberSearch } = await import('./recent-searches.ts');
  const { noteVisitor } = await import('#web/api/visitor-change.ts');
  rememberSearch('lighthouse');
  rememberSearch('harbour');
  expect(readRecentSearches()).toEqual([]);
  noteVisitor('edda');
  expect(readRecentSearches()).toEqual(['harbour', 'lighthouse', 'tram']);
  noteVisitor(null);
  expect(readRecentSearches()).toEqual([]);
});
