import { afterEach, expect, test } from 'vitest';
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
