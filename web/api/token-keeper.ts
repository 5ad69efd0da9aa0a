import { limits } from '#contract/limits.ts';
import { createStore } from '#web/ui/store.ts';

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
  const kept = createStore<{ token: string; at: number } | undefined>(undefined);
  let underway: Promise<string> | undefined;

  /** The token that is kept, unless it has grown old. */
  const fresh = () => {
    const token = kept.read();
    return token && now() - token.at < limits.accessTokenCacheMs ? token.token : undefined;
  };
  const renew = (): Promise<string> => {
    if (underway) return underway;
    const mine = fetchToken()
      .then((token) => {
        // A fetch that was forgotten on the way was made for the last caller.
        if (underway === mine) kept.set({ token, at: now() });
        return token;
      })
      .finally(() => {
        if (underway === mine) underway = undefined;
      });
    underway = mine;
    return mine;
  };

  return {
    read: async () => fresh() ?? (await renew()),
    current: () => kept.read()?.token,
    replace: async (refused) => {
      const token = fresh();
      return token === undefined || token === refused ? await renew() : token;
    },
    forget: () => {
      underway = undefined;
      kept.set(undefined);
    },
    renewIfOld: () => {
      if (kept.read() && fresh() === undefined)
        renew().catch((reason: unknown) => console.error('The access token was not renewed.', reason));
    },
    subscribe: kept.subscribe,
  };
}
