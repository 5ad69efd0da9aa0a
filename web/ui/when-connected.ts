import { inStorage } from './in-storage.ts';

/**
 * Loads a part of the page, once there is a connection. A module that could not be fetched counts as failed for as long as the page lives
 * (HTML, “fetch a single module script”): where the connection went in the middle of that, or the server is restarting, the page is loaded
 * anew when it is back.
 */
export async function whenConnected<T>(load: () => Promise<T>): Promise<T> {
  if (!navigator.onLine) await waitForConnection();
  let wentAway = false;
  const noteGone = () => {
    wentAway = true;
  };
  window.addEventListener('offline', noteGone);
  try {
    return await load();
  } catch (reason) {
    // A part that is not there when the server answers again, or is faulty, would be loaded for ever.
    if (!wentAway && !mayLoadAnew()) throw reason;
    if (!navigator.onLine) await waitForConnection();
    await answer();
    window.location.reload();
    return await new Promise<never>(() => {});
  } finally {
    window.removeEventListener('offline', noteGone);
  }
}

const loadedAnewKey = 'rushes-loaded-anew';
const loadedAnewEveryMs = 60_000;

/** Whether the page was not loaded anew for this a short time ago; it counts as that from now on. */
function mayLoadAnew(): boolean {
  return (
    inStorage('sessionStorage', (storage) => {
      const isSoon = Date.now() - Number(storage.getItem(loadedAnewKey) ?? 0) < loadedAnewEveryMs;
      if (!isSoon) storage.setItem(loadedAnewKey, String(Date.now()));
      return !isSoon;
    }) ?? false
  );
}

const lookEveryMs = 1_000;

/** Waits until the server answers for this very page, be it that it is not there any more. */
async function answer(): Promise<void> {
  for (;;) {
    // biome-ignore lint/style/noRestrictedGlobals: nothing is asked for but whether somebody answers
    const { status } = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => ({ status: 503 }));
    if (status < 500) return;
    await new Promise((later) => setTimeout(later, lookEveryMs));
  }
}

function waitForConnection(): Promise<unknown> {
  return new Promise((online) => window.addEventListener('online', online, { once: true }));
}
