import { inStorage } from '#web/ui/in-storage.ts';

const storageKey = 'rushes-recent-searches';
const kept = 8;

/** The last searches made on this device, newest first; they never leave it. */
export function recentSearches(): string[] {
  const stored: unknown = parse(inStorage('localStorage', (storage) => storage.getItem(storageKey)) ?? null);
  return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : [];
}

/** Puts a search first in the list of this browser. */
export function rememberSearch(query: string): void {
  const text = query.trim();
  if (text === '') return;
  store([text, ...recentSearches().filter((other) => other !== text)].slice(0, kept));
}

/** Takes one search out of that list. */
export function forgetSearch(query: string): void {
  store(recentSearches().filter((other) => other !== query));
}

/** Empties that list. */
export function forgetAllSearches(): void {
  inStorage('localStorage', (storage) => storage.removeItem(storageKey));
}

function store(searches: string[]): void {
  inStorage('localStorage', (storage) => storage.setItem(storageKey, JSON.stringify(searches)));
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '[]');
  } catch {
    // Somebody else's or a broken entry: as good as none.
    return [];
  }
}
