import { call } from './call.ts';
import { CallFailed } from './call-failed.ts';
import { keepToken, type TokenKeeper } from './token-keeper.ts';

/** Opens search, posters and stills; everybody has one. */
export const accountToken = keepToken(async () => (await call('accountToken', {})).accessToken);

const videoTokens = new Map<string, TokenKeeper>();
/** Given with those: what the frames of a video begin with. */
const widgetTokens = new Map<string, string>();

/** Opens one video for the signed-in viewer: asked for with the user's own short-lived bearer. */
export function videoTokenOf(videoId: string): TokenKeeper {
  const known = videoTokens.get(videoId);
  if (known) return known;
  const keeper = keepToken(async () => {
    const { token: bearer } = await call('userBearer', {});
    const given = await call('videoToken', { id: videoId }, { bearer });
    widgetTokens.set(videoId, given.widgetToken ?? given.accessToken);
    return given.accessToken;
  });
  videoTokens.set(videoId, keeper);
  return keeper;
}

/** What opens the player and the insights of a video whose token is at hand: the same, unless they lie at another service. */
export function widgetTokenOf(videoId: string): string {
  return widgetTokens.get(videoId) ?? '';
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
  widgetTokens.clear();
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
