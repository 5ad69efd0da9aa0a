/** What comes of work within so many milliseconds. Throws what the work throws, and `says` where it takes longer: what comes then comes to nobody. */
export async function inTime<T>(work: Promise<T>, withinMs: number, says: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(says)), withinMs);
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
