import { limits } from '#contract/limits.ts';
import { call } from './call.ts';
import { CallFailed } from './call-failed.ts';

/** Opens search, posters and stills; everybody has one. */
export const accountToken = keepToken(async () => (await call('accountToken', {})).accessToken);

const videoTokens = new Map<string, TokenKeeper>();

/** Opens one video for the signed-in viewer: asked for with the user's own short-lived bearer. */
export function videoToken(videoId: string): TokenKeeper {
  const known = videoTokens.get(videoId);
  if (known) return known;
  const keeper = keepToken(async () => {
    const { token: bearer } = await call('userBearer', {});
    return (await call('videoToken', { id: videoId }, { bearer })).accessToken;
  });
  videoTokens.set(videoId, keeper);
  return keeper;
}

/** Asks with a token, and once more with a new one when the server turned the first away. */
export async function withToken<T>(keeper: TokenKeeper, ask: (token: string) => Promise<T>): Promise<T> {
  const token = await keeper.read();
  try {
    return await ask(token);
  } catch (reason) {
    if (!(reason instanceof CallFailed) || reason.status !== 401) throw reason;
    return await ask(await keeper.replace(token));
  }
}

/** Every token belongs to the caller it was made for: forget them at sign-in and sign-out. */
export function forgetTokens(): void {
  accountToken.forget();
  forgetVideoTokens();
}

/** Forgets what opens videos: somebody who may not watch any more has no use for it. */
export function forgetVideoTokens(): void {
  for (const keeper of videoTokens.values()) keeper.forget();
  videoTokens.clear();
}

/** Fetches every token anew, because its holder has other roles now; the old ones stay in use until then. */
export function renewTokens(): void {
  for (const keeper of [accountToken, ...videoTokens.values()]) {
    const token = keeper.current();
    if (token) keeper.replace(token).catch((reason: unknown) => console.error('An access token was not renewed.', reason));
  }
}

/** Renews old tokens when the machine wakes or the connection is back, before a picture or a segment is refused. */
export function keepTokensFresh(): void {
  const renew = () => {
    if (document.visibilityState !== 'visible') return;
    accountToken.renewIfOld();
    for (const keeper of videoTokens.values()) keeper.renewIfOld();
  };
  document.addEventListener('visibilitychange', renew);
  window.addEventListener('online', renew);
  window.setInterval(renew, 60_000);
}

interface TokenKeeper {
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
        // A fetch that was forgotten on the way belongs to the caller of before.
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
