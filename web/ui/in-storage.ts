/**
 * What the browser keeps for this site, or for this tab, by which pages are opened again as they were. It may refuse that, by the settings of
 * a person or of who looks after their machine: then nothing is kept, and `undefined` comes back.
 */
export function inStorage<T>(which: 'localStorage' | 'sessionStorage', act: (storage: Storage) => T): T | undefined {
  try {
    return act(window[which]);
  } catch {
    return undefined;
  }
}
