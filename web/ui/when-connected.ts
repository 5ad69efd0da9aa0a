/**
 * Loads a part of the page, once there is a connection. A module that could not be fetched counts as failed for as long as the page lives
 * (HTML, “fetch a single module script”): where the connection went in the middle of that, the page is loaded anew when it is back.
 */
export async function whenConnected<T>(load: () => Promise<T>): Promise<T> {
  if (!navigator.onLine) await connection();
  let wentAway = false;
  const noteGone = () => {
    wentAway = true;
  };
  window.addEventListener('offline', noteGone);
  try {
    return await load();
  } catch (reason) {
    // What was cut off may fail only when the connection is back.
    if (!wentAway) throw reason;
    if (!navigator.onLine) await connection();
    window.location.reload();
    return await new Promise<never>(() => {});
  } finally {
    window.removeEventListener('offline', noteGone);
  }
}

function connection(): Promise<unknown> {
  return new Promise((online) => window.addEventListener('online', online, { once: true }));
}
