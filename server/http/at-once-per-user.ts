import { Problem } from '#contract/problem.ts';

/** Lets somebody do one thing so many times at once; refuses the next one with `rate_limited`. */
export function atOncePerUser(atMost: number): <T>(uid: string, work: () => Promise<T>) => Promise<T> {
  const busy = new Map<string, number>();
  return async (uid, work) => {
    const before = busy.get(uid) ?? 0;
    if (before >= atMost)
      throw new Problem('rate_limited', `You send ${before} files at once. Wait until one of them ends.`, { retryAfterSeconds: 2 });
    busy.set(uid, before + 1);
    try {
      return await work();
    } finally {
      const left = (busy.get(uid) ?? 1) - 1;
      if (left > 0) busy.set(uid, left);
      else busy.delete(uid);
    }
  };
}
