import { readCurrentVisitor } from '#web/api/visitor-change.ts';
import type { EmbedAddress } from '#web/embed/embed-address.ts';
import { readTab } from '#web/embed/embed-messages.ts';
import { inStorage } from '#web/ui/in-storage.ts';
import type { LicenceRange } from './licence-range.ts';

/** The tab of the insights that somebody chose in this history entry: still so when they reload, or come back to it. */
export function readChosenTab(): EmbedAddress['tab'] {
  return readTab(window.history.state?.tab);
}

/** Keeps it there: a new visit is another entry, and begins with the tab that fits it. */
export function keepChosenTab(tab: EmbedAddress['tab']): void {
  window.history.replaceState({ ...window.history.state, tab }, '');
}

/** Where somebody is in a film, null at its end, and what they ask for of it. */
export interface Visit {
  readonly seconds: number | null;
  readonly range: LicenceRange;
  readonly use: string;
}

const storageKey = 'rushes-visit';

/**
 * The visit that was left last in this tab, where this one goes on with it: in the same history entry, as after a reload, or at the same
 * address in place of the sign-in window. Null for a new visit, and for somebody else.
 */
export function readLeftVisit({ isReplacing }: { isReplacing: boolean }): Visit | null {
  const left: unknown = inStorage('sessionStorage', (storage) => JSON.parse(storage.getItem(storageKey) ?? 'null'));
  const read = (name: string, of = left): unknown => (typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined);
  const { of, entry, address } = visitOf(readCurrentVisitor());
  const isSame = read('entry') === entry || (isReplacing && read('address') === address);
  if (!isSame || read('of') !== of) return null;
  const secondOf = (name: string, where = left) => {
    const second = read(name, where);
    return typeof second === 'number' && second >= 0 ? second : null;
  };
  const range = read('range');
  const use = read('use');
  return {
    seconds: secondOf('seconds'),
    range: { in: secondOf('in', range), out: secondOf('out', range) },
    use: typeof use === 'string' ? use : '',
  };
}

/** Keeps the visit whenever the page is left or hidden, and when it is stopped, as where the session ends. Returns how to stop. */
export function keepVisit(read: () => Visit): () => void {
  const visitor = readCurrentVisitor();
  // Where one goes to from here is in the address before this is stopped.
  const begun = visitOf(visitor);
  const keep = (at = begun) => inStorage('sessionStorage', (storage) => storage.setItem(storageKey, JSON.stringify({ ...at, ...read() })));
  const stops = new AbortController();
  window.addEventListener('pagehide', () => keep(visitOf(visitor)), { signal: stops.signal });
  // What a telephone puts aside is not told when it ends.
  document.addEventListener('visibilitychange', () => document.hidden && keep(visitOf(visitor)), { signal: stops.signal });
  return () => {
    stops.abort();
    keep();
  };
}

function visitOf(visitor: string | null) {
  const { pathname, search } = window.location;
  return { of: visitor, entry: window.history.state?.key, address: pathname + search };
}
