import type { RateLimit } from '../config.ts';

/** Counts requests by key. Says 0 when one may pass now, else after how many seconds it may. */
export type TokenBuckets = (key: string) => number;

const keysMax = 100_000;

/** A bucket per key that holds `burst` requests and refills at `perMinute`. */
export function tokenBuckets({ perMinute, burst }: RateLimit, now: () => number = Date.now): TokenBuckets {
  const buckets = new Map<string, { left: number; at: number }>();
  const perMs = perMinute / 60_000;
  return (key) => {
    const at = now();
    const bucket = buckets.get(key) ?? { left: burst, at };
    const left = Math.min(burst, bucket.left + (at - bucket.at) * perMs);
    // Whoever was heard of longest ago is forgotten first.
    buckets.delete(key);
    if (buckets.size >= keysMax) buckets.delete(buckets.keys().next().value ?? '');
    buckets.set(key, { left: left >= 1 ? left - 1 : left, at });
    return left >= 1 ? 0 : Math.max(1, Math.ceil((1 - left) / perMs / 1_000));
  };
}
