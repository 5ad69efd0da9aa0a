import { Problem } from '#contract/problem.ts';

/** Lets somebody do one thing so many times at once; refuses the next one with `rate_limited`. */
export function limitPerUser(atMost: number): <T>(uid: string, work: () => Promise<T>) => Promise<T> {
  const busy = new Map<string, number>();
  return async (uid, work) => {
    const before = busy.get(uid) ?? 0;
    if (before >= atMost) {
      const files = before === 1 ? 'One of your files is' : `${before} of your files are`;
      throw new Problem('rate_limited', `${files} already in progress. Wait until one has finished.`, { retryAfterSeconds: 2 });
    }
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
