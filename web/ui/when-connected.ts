/** Loads a part of the page. Without a connection that waits until it is back, where it would break the page. */
export async function whenConnected<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch (reason) {
      if (navigator.onLine) throw reason;
      await new Promise((online) => window.addEventListener('online', online, { once: true }));
    }
  }
}
