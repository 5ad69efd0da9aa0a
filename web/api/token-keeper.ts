import { limits } from '#contract/limits.ts';

export interface TokenKeeper {
  /** The token, fetched when there is none or it is older than 59 minutes; callers at the same time share one fetch. */
  read(): Promise<string>;
  /** The token at hand, without waiting. */
  current(): string | undefined;
  /** A token other than `refused`, which a server has just turned away. */
  replace(refused: string): Promise<string>;
  /** Forgets the token, because the caller has become somebody else. */
  forget(): void;
  /** Fetches anew when the kept token has grown old, for instance while the machine slept. */
  renewIfOld(): void;
  subscribe(changed: () => void): () => void;
}

/** Keeps one access token for 3,540,000 ms. */
export function keepToken(fetchToken: () => Promise<string>, now: () => number = Date.now): TokenKeeper {
  let kept: { token: string; at: number } | undefined;
  let underway: Promise<string> | undefined;
  const listeners = new Set<() => void>();

  const isFresh = () => kept !== undefined && now() - kept.at < limits.accessTokenCacheMs;
  const keep = (next: typeof kept) => {
    kept = next;
    for (const listener of listeners) listener();
  };
  const renew = (): Promise<string> => {
    if (underway) return underway;
    const mine = fetchToken()
      .then((token) => {
        // A fetch that was forgotten on the way was made for the last caller.
        if (underway === mine) keep({ token, at: now() });
        return token;
      })
      .finally(() => {
        if (underway === mine) underway = undefined;
      });
    underway = mine;
    return mine;
  };

  return {
    read: async () => (kept && isFresh() ? kept.token : await renew()),
    current: () => kept?.token,
    replace: async (refused) => (kept && kept.token !== refused && isFresh() ? kept.token : await renew()),
    forget: () => {
      underway = undefined;
      keep(undefined);
    },
    renewIfOld: () => {
      if (kept && !isFresh()) renew().catch((reason: unknown) => console.error('The access token was not renewed.', reason));
    },
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}
