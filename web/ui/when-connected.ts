/** Loads a part of the page. Without a connection that waits until it is back, where it would break the page. */
export async function whenConnected<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    const wasOnline = navigator.onLine;
    try {
      return await load();
    } catch (reason) {
      if (navigator.onLine && wasOnline) throw reason;
      // What was asked for without a connection may fail only when it is back.
      if (!navigator.onLine) await new Promise((online) => window.addEventListener('online', online, { once: true }));
    }
  }
}
