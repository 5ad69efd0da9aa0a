import { expect, test } from 'vitest';
import { startTestServer } from '#testing/test-server.ts';

test('whoever asks too often is told when to come back, by address and by token', async () => {
  const busy = await startTestServer({
    RUSHES_PUBLIC_URL: 'http://localhost:4141',
    // One comes back every ten seconds: none while these are asked.
    RUSHES_SEARCHES_PER_MINUTE: '6',
    RUSHES_SEARCH_BURST: '5',
  });
  try {
    const url = `${busy.account}/Videos/Search?accessToken=${await busy.guestToken()}`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => busy.app.inject({ url })));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(5);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(10);
    const elsewhere = await busy.app.inject({ url, remoteAddress: '198.51.100.7' });
    expect(elsewhere.statusCode).toBe(429);
    const other = `${busy.account}/Videos/Search?accessToken=${await busy.guestToken('another')}`;
    expect((await busy.app.inject({ url: other, headers: { 'x-forwarded-for': '203.0.113.9' } })).statusCode).toBe(429);
  } finally {
    await busy.stop();
  }
});

test('the networks of an IPv6 site have four buckets together, and what costs more empties one sooner', async () => {
  const limits = { RUSHES_SEARCHES_PER_MINUTE: '60', RUSHES_SEARCH_BURST: '20', RUSHES_TRUST_PROXY: '127.0.0.1' };
  const busy = await startTestServer(limits);
  try {
    const statuses = (query: string, from: (n: number) => string, times: number) =>
      Promise.all(
        Array.from({ length: times }, async (_, n) => {
          const url = `${busy.account}/Videos/Search?${query}&accessToken=${await busy.guestToken(`guest-${n}`)}`;
          return (await busy.app.inject({ url, headers: { 'x-forwarded-for': from(n) } })).statusCode;
        }),
      );
    const passed = (all: number[]) => all.filter((status) => status !== 429).length;
    const bySite = passed(await statuses('query=a', (n) => `2001:db8:9:${n.toString(16)}::1`, 120));
    // What comes back while they ask is counted in seconds.
    expect(bySite).toBeGreaterThanOrEqual(80);
    expect(bySite).toBeLessThan(110);
    // A word that must be there, fifty places on, asked for twice: fourteen each.
    const costly = passed(await statuses('query=%2Ba&query=%2Ba&skip=50', () => '203.0.113.5', 20));
    expect(costly).toBeGreaterThanOrEqual(1);
    expect(costly).toBeLessThanOrEqual(4);
    // A scope is looked for in the whole answer: nine each.
    const scoped = passed(await statuses('query=a&textScope=Ocr', () => '198.51.100.9', 20));
    expect(scoped).toBeGreaterThanOrEqual(1);
    expect(scoped).toBeLessThanOrEqual(6);
  } finally {
    await busy.stop();
  }
});
