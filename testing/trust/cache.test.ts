import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFilm } from '../add-film.ts';
import { addPerson, type Person } from '../add-person.ts';
import { type Address, addressesOf, askThrough } from '../cache-walk.ts';
import { isMissing } from '../find-program.ts';
import { freePort } from '../free-port.ts';
import { putReport } from '../put-report.ts';
import { type RunningProxy, startNginx } from '../start-proxy.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { withoutLimits } from '../without-limits.ts';

let server: TestServer;
let originPort: number;
let port: number;
let proxy: RunningProxy | null;

beforeAll(async () => {
  server = await startTestServer({ ...withoutLimits, RUSHES_PUBLIC_URL: 'https://archive.example' });
  const origin = await server.listen();
  originPort = Number(new URL(origin).port);
  port = await freePort();
  proxy = await startNginx((folder) => greedyCache(folder, origin), port);
});
afterAll(async () => {
  await proxy?.stop();
  await server.stop();
});

/** Keeps whatever an answer does not forbid to keep, and what looks like a style or a script whatever the answer says. */
function greedyCache(folder: string, origin: string): string {
  return `proxy_cache_path ${join(folder, 'cache')} keys_zone=all:1m; access_log off;
server { listen 127.0.0.1:${port}; merge_slashes off;
  proxy_set_header Host $host; proxy_http_version 1.1; proxy_buffers 64 16k;
  proxy_cache all; proxy_cache_key $request_uri; proxy_cache_valid any 10m; add_header x-cache $upstream_cache_status always;
  location / { proxy_pass ${origin}; }
  location ~* \\.(css|js|ico)$ { proxy_ignore_headers Cache-Control Expires Set-Cookie Vary; proxy_pass ${origin}; }
}`;
}

test('nothing private gets to a second client through a cache that keeps all it may', { timeout: 240_000 }, async ({ task, skip }) => {
  if (!proxy) {
    putReport(task, { check: 'cache', skipped: isMissing('nginx') });
    return skip(isMissing('nginx'));
  }
  const film = await addFilm(server.context, { lines: ['the harbour lights came on'] });
  const first = await addPerson(server.context, { viewer: true, editor: true, admin: true });
  const second = await addPerson(server.context, {});
  const leaks: string[] = [];
  const addresses = await addressesOf(server, film, first);
  let kept = 0;
  for (const address of addresses) {
    await askThrough(port, address.path, address.headers);
    for (const [who, headers] of [
      ['a guest', {}],
      ['somebody without a role', { cookie: second.cookie }],
    ] as const) {
      const found = await lookFor(first, address, headers);
      if (found.isKept) kept += 1;
      if (found.fault) leaks.push(`${address.path} to ${who}: ${found.fault}`);
    }
  }
  putReport(task, { check: 'cache', leaks: leaks.length, addresses: addresses.length, kept });
  expect(leaks).toEqual([]);
  // What everybody may have is kept: the cache does its work, and the check sees it.
  expect(kept).toBeGreaterThan(5);
});

/** Whether the cache answered a second client from what it kept, and what of it was not for them. */
async function lookFor(first: Person, { path }: Address, headers: Address['headers']): Promise<{ isKept: boolean; fault?: string }> {
  const through = await askThrough(port, path, headers);
  if (through.status >= 500) return { isKept: false, fault: `${through.status}` };
  const isKept = through.headers['x-cache'] === 'HIT';
  const mentioned = [first.uid, first.sid, first.cookie.split('=')[1] ?? ''].find((secret) => through.body.includes(secret));
  if (mentioned && !path.includes(mentioned)) return { isKept, fault: 'it tells of the first' };
  const direct = await askThrough(originPort, path, headers);
  if (through.status < 300 && direct.status >= 300) return { isKept, fault: `${through.status}, and ${direct.status} without the cache` };
  // A script that is the same for everybody may be kept by who asks nobody.
  const isForAll = /\bpublic\b/.test(through.headers['cache-control'] ?? '') || direct.body === through.body;
  return isKept && through.status < 300 && !isForAll ? { isKept, fault: 'kept, though it is not for everybody' } : { isKept };
}
