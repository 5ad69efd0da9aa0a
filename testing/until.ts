import { setTimeout as wait } from 'node:timers/promises';

interface Patience {
  readonly withinMs?: number;
  readonly everyMs?: number;
  /** What to say when it took too long. */
  readonly otherwise?: () => string;
  /** Whether what went wrong with a look passes by itself; nothing does where it is not said. */
  readonly passes?: (error: unknown) => boolean;
}

/** Looks again and again until something is there, or something holds, and returns it. Throws after `withinMs`. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  {
    withinMs = 60_000,
    everyMs = 25,
    otherwise = () => `It did not come to hold within ${withinMs} ms.`,
    passes = () => false,
  }: Patience = {},
): Promise<T> {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    const found = await lookOnce(look, passes);
    if (found !== undefined && found !== false) return found;
    if (Date.now() > giveUpAt) throw new Error(otherwise());
    await wait(everyMs);
  }
}

async function lookOnce<T>(look: () => T | Promise<T>, passes: (error: unknown) => boolean): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (passes(error)) return undefined;
    throw error;
  }
}
