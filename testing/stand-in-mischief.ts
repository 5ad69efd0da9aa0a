import { Readable } from 'node:stream';
import { decodeJwt, type KeyObject, SignJWT } from 'jose';
import type { KoaContext } from 'oidc-provider';

/** What a provider may do wrong between the choice of a person and the end of the sign-in. */
export type Mischief = 'none' | 'wrong state' | 'replayed code' | 'other audience' | 'fault' | 'silence' | 'endless answer';

type Middleware = (context: KoaContext, next: () => Promise<void>) => Promise<void>;

/** Stands before a provider and does what `mischief` says at that moment; `key` signs as the provider does. */
export function doMischief(mischief: () => Mischief, key: CryptoKey | KeyObject): Middleware {
  let spentCode = '';
  return async (context, next) => {
    if (context.path === '/token' && (await breakAnswer(mischief(), context))) return;
    await next();
    const { body } = context;
    if (mischief() === 'other audience' && typeof body === 'object' && body !== null && 'id_token' in body)
      context.body = { ...body, id_token: await forAnother(String(body.id_token), key) };
    const location = context.response.get('location');
    if (!location?.includes('/api/auth/callback/')) return;
    const callback = new URL(location);
    if (mischief() === 'wrong state') callback.searchParams.set('state', 'x'.repeat(32));
    if (mischief() === 'replayed code') callback.searchParams.set('code', spentCode);
    spentCode = callback.searchParams.get('code') ?? spentCode;
    context.set('location', callback.href);
  };
}

/** Answers in the provider's place; whether it did. */
async function breakAnswer(mischief: Mischief, context: KoaContext): Promise<boolean> {
  if (mischief === 'silence') await new Promise(() => {});
  if (mischief === 'fault') {
    context.status = 500;
    context.body = 'Something went wrong';
  } else if (mischief === 'endless answer') {
    context.type = 'application/json';
    context.body = Readable.from(aGigabyte());
  } else return false;
  return true;
}

function* aGigabyte() {
  const part = Buffer.alloc(1_048_576, ' ');
  for (let n = 0; n < 1_024; n++) yield part;
}

async function forAnother(idToken: string, key: CryptoKey | KeyObject): Promise<string> {
  return await new SignJWT({ ...decodeJwt(idToken), aud: 'somebody-else' }).setProtectedHeader({ alg: 'RS256' }).sign(key);
}
