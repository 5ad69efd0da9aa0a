/*
 * Light and dark: chosen and shown here; before-paint shows it before any of this is loaded. The colours themselves are in web/styles/tokens.css.
 */
import { useSyncExternalStore } from 'react';
import { inStorage } from '#web/ui/in-storage.ts';

export type ThemeChoice = 'light' | 'dark' | 'system';

const storageKey = 'rushes-theme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
/** What was chosen in this page, where the browser keeps nothing. */
let unkept: ThemeChoice | undefined;
const listeners = new Set<() => void>();

/** Keeps the choice on this device and shows it at once; `before-paint.js` reads it at the next page load. */
export function chooseTheme(choice: ThemeChoice): void {
  const isKept = inStorage('localStorage', (storage) => {
    if (choice === 'system') storage.removeItem(storageKey);
    else storage.setItem(storageKey, choice);
    return true;
  });
  unkept = isKept ? undefined : choice;
  showTheme();
}

/** Goes on from that of this device to the other one, then to the same one whatever the device says, and back. */
export function chooseNextTheme(): void {
  const [same, other] = systemIsDark.matches ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  const choice = readStoredChoice();
  if (choice === 'system') chooseTheme(other);
  else chooseTheme(choice === other ? same : 'system');
}

/** The chosen theme, and the one that is shown for it. */
export function useTheme(): { choice: ThemeChoice; shown: 'light' | 'dark' } {
  const choice = useSyncExternalStore(subscribe, readStoredChoice);
  const shown = useSyncExternalStore(subscribe, readShownTheme);
  return { choice, shown };
}

function readStoredChoice(): ThemeChoice {
  const stored = unkept ?? inStorage('localStorage', (storage) => storage.getItem(storageKey));
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function readShownTheme(): 'light' | 'dark' {
  const choice = readStoredChoice();
  if (choice !== 'system') return choice;
  return systemIsDark.matches ? 'dark' : 'light';
}

/** Shows a theme, that of this device where none is told. */
export function showTheme(shown = readShownTheme()): void {
  document.documentElement.dataset.theme = shown;
  for (const listener of listeners) listener();
}

/** Calls `listener` with the theme that is shown whenever it changes, until the returned function is called. */
export function followShownTheme(listener: (shown: 'light' | 'dark') => void): () => void {
  return subscribe(() => listener(readShownTheme()));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

systemIsDark.addEventListener('change', () => showTheme());
// Another window of the site has chosen, or everything that it kept is gone.
window.addEventListener('storage', (event) => {
  if (event.key === storageKey || event.key === null) showTheme();
});
