import { onceVisitorKnown, readCurrentVisitor } from '#web/api/visitor-change.ts';
import { inStorage } from '#web/ui/in-storage.ts';

const storageKey = 'rushes-recent-searches';
const kept = 8;

/**
 * The last searches made on this device, newest first; they never leave it. Those of somebody who was signed in are shown to nobody else;
 * those of a guest go on with whoever signs in.
 */
export function readRecentSearches(): string[] {
  const { of, searches } = {
    of: null,
    searches: [],
    ...Object(parse(inStorage('localStorage', (storage) => storage.getItem(storageKey)) ?? null)),
  };
  const isOwn = of === null || of === readCurrentVisitor();
  return isOwn && Array.isArray(searches) ? searches.filter((entry) => typeof entry === 'string') : [];
}

/** Puts a search first in the list of this browser, as soon as it is known whose list that is. */
export function rememberSearch(query: string): void {
  const text = query.trim();
  if (text === '') return;
  onceVisitorKnown(() => store([text, ...readRecentSearches().filter((other) => other !== text)].slice(0, kept)));
}

/** Takes one search out of that list. */
export function forgetSearch(query: string): void {
  store(readRecentSearches().filter((other) => other !== query));
}

/** Empties that list. */
export function forgetAllSearches(): void {
  inStorage('localStorage', (storage) => storage.removeItem(storageKey));
}

function store(searches: string[]): void {
  inStorage('localStorage', (storage) => storage.setItem(storageKey, JSON.stringify({ of: readCurrentVisitor(), searches })));
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '{}');
  } catch {
    // Somebody else's or a broken entry: as good as none.
    return {};
  }
}
