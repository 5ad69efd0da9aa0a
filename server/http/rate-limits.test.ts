import { afterEach, expect, test } from 'vitest';
import { type ArrangingParameter, arrangingParameters } from '#contract/narrowing.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';

const buckets = {
  search: { RUSHES_SEARCHES_PER_MINUTE: '1', RUSHES_SEARCH_BURST: '1' },
  thumbnails: { RUSHES_THUMBNAILS_PER_MINUTE: '1', RUSHES_THUMBNAIL_BURST: '1' },
  tokens: { RUSHES_TOKENS_PER_MINUTE: '1', RUSHES_TOKEN_BURST: '1' },
} as const;
let server: TestServer;
afterEach(() => server.stop());

test.each(['search', 'thumbnails', 'tokens'] as const)(
  'the routes whose row names the bucket "%s" take from it, by HEAD as well, and no other does',
  async (bucket) => {
    server = await startTestServer({ ...withoutLimits, ...buckets[bucket], RUSHES_PUBLIC_URL: 'http://localhost:4141' });
    const rows: [string, Route][] = Object.entries(routes);
    // Each from a network of its own.
    const refused = await Promise.all(
      rows.map(async ([name, { method, path }], n) => {
        const asked = { url: path.replace(/:\w+|\*/g, 'x'), remoteAddress: `198.51.${n}.1`, payloadAsStream: true } as const;
        await server.app.inject({ ...asked, method });
        const { statusCode } = await server.app.inject({ ...asked, method: method === 'GET' ? 'HEAD' : method });
        return statusCode === 429 ? [name] : [];
      }),
    );
    expect(refused.flat()).toEqual(rows.flatMap(([name, { rate }]) => (rate === bucket ? [name] : [])));
    expect(refused.flat().length).toBeGreaterThan(1);
  },
);

const arranged: Readonly<Record<ArrangingParameter, string>> = {
  sort: 'newest',
  matchKind: 'Transcript',
  length: 'under-10',
  playable: 'true',
  person: 'Ann',
  label: 'harbour',
  brand: 'Rushes',
};

test('whatever puts an answer in another order or leaves some of it out is charged as a survey', async () => {
  // A survey and its search take all of it.
  const bucket = { RUSHES_SEARCHES_PER_MINUTE: '1', RUSHES_SEARCH_BURST: '9' };
  server = await startTestServer({ ...withoutLimits, ...bucket, RUSHES_PUBLIC_URL: 'http://localhost:4141' });
  const isFree = async (more: Record<string, string>, n: number) => {
    const accessToken = await server.guestToken(`guest-${n}`);
    const ask = async (extra: Record<string, string>) => {
      const url = `${server.account}/Videos/Search?${new URLSearchParams({ query: 'x', accessToken, ...extra })}`;
      return (await server.app.inject({ url, headers: { host: 'localhost:4141' }, remoteAddress: `198.51.${n}.1` })).statusCode;
    };
    return [await ask(more), await ask({})];
  };
  const passes = await Promise.all(arrangingParameters.map((name, n) => isFree({ [name]: arranged[name] }, n)));
  expect(Object.fromEntries(arrangingParameters.map((name, n) => [name, passes[n]?.[1]]))).toEqual(
    Object.fromEntries(Object.keys(arranged).map((name) => [name, 429])),
  );
  expect(passes.map(([first]) => first)).not.toContain(429);
  expect((await isFree({}, 99))[1]).not.toBe(429);
});
