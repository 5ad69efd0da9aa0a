import { createHash } from 'node:crypto';
import type { Secrets } from './secrets.ts';

const tokensMax = 10_000;
const opened = new WeakMap<Secrets, WeakMap<object, Map<string, unknown>>>();

/**
 * What tokens of one class said when they were opened: the signature of a token that is sent with every search is not checked anew.
 * Whether a token is over is for the caller to ask each time. Only hashes are kept, so that the memory of this process holds no list of tokens.
 */
export function openedTokens<C>(
  secrets: Secrets,
  tokenClass: object,
): { find(token: string): C | undefined; keep(token: string, claims: C): void } {
  const classes = opened.get(secrets) ?? new WeakMap<object, Map<string, unknown>>();
  opened.set(secrets, classes);
  const tokens = classes.get(tokenClass) ?? new Map<string, unknown>();
  classes.set(tokenClass, tokens);
  return {
    // What `keep` took for this class, and nothing else.
    find: (token) => tokens.get(hashOf(token)) as C | undefined,
    keep: (token, claims) => {
      if (tokens.size >= tokensMax) tokens.delete(tokens.keys().next().value ?? '');
      tokens.set(hashOf(token), claims);
    },
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
