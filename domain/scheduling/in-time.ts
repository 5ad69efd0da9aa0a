/** What comes of work within so many milliseconds. Throws what the work throws, and `says` where it takes longer: what comes then comes to nobody. */
export async function inTime<T>(work: Promise<T>, withinMs: number, says: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(says)), withinMs);
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** What comes of work until somebody stops it. Throws what the work throws, and the reason of the signal: what comes then comes to nobody. */
export async function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop);
  return await Promise.race([work, stopped]).finally(() => signal.removeEventListener('abort', stop));
}
