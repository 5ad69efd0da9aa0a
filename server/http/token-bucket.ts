import type { RateLimit } from '../config.ts';

/** Whose bucket pays, and how many buckets' worth theirs holds. */
interface Payer {
  readonly name: string;
  readonly shares: number;
}

/** Takes the price of a request from all who pay for it. Says 0 when it may pass now, else after how many seconds it may; then nobody has paid. */
export type TokenBuckets = (payers: readonly Payer[], price?: number) => number;

const bucketsMax = 100_000;

/** A bucket per name that holds `burst` and refills at `perMinute`. What costs more than a full bucket costs a full one. */
export function tokenBuckets({ perMinute, burst }: RateLimit, now: () => number = Date.now): TokenBuckets {
  const buckets = new Map<string, { left: number; at: number }>();
  const perMs = perMinute / 60_000;
  return (payers, price = 1) => {
    const at = now();
    const asked = payers.map(({ name, shares }) => {
      const known = buckets.get(name);
      const left = known ? Math.min(burst * shares, known.left + (at - known.at) * perMs * shares) : burst * shares;
      const due = Math.max(1, Math.min(price, burst));
      const waitMs = left >= due ? 0 : (due - left) / (perMs * shares);
      return { name, left, due, waitMs };
    });
    const waitMs = Math.max(0, ...asked.map((one) => one.waitMs));
    for (const { name, left, due } of asked) {
      // Whoever was heard of longest ago is forgotten first.
      buckets.delete(name);
      if (buckets.size >= bucketsMax) buckets.delete(buckets.keys().next().value ?? '');
      buckets.set(name, { left: waitMs > 0 ? left : left - due, at });
    }
    return waitMs > 0 ? Math.max(1, Math.ceil(waitMs / 1_000)) : 0;
  };
}
