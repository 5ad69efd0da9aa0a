import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { createSignInLink, orderSignInLink, spendSignInLink, withdrawSignInLink } from './sign-in-links.ts';

const limits = { perAddress: 3, perNetwork: 10, inAll: 12 };
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.pool.query('delete from sign_in_links');
});

test('an address gets three links in 15 minutes, however many ask at the same moment and from wherever', async () => {
  const links = await Promise.all(Array.from({ length: 8 }, (_, n) => order('ann@example.test', `net-${n}`)));
  expect(links.filter((link) => link !== null && link !== 'refused')).toHaveLength(3);
  expect(links.filter((link) => link === null)).toHaveLength(5);
  await database.pool.query("update sign_in_links set created_at = now() - interval '16 minutes'");
  expect(await order('ann@example.test', 'net-1')).toMatchObject({ token: expect.any(String) });
});

test('a network asks ten times in 15 minutes, also for addresses that have had their share', async () => {
  const outcomes = await Promise.all(Array.from({ length: 14 }, () => order('ann@example.test', 'net')));
  expect(outcomes.filter((one) => one === 'refused')).toHaveLength(4);
});

test('the site around an IPv6 network asks as often as four networks, in however many of its own it does', async () => {
  const roomy = { ...limits, inAll: 1_000 };
  const ask = (network: string, n: number) => order(`p-${n}@example.test`, network, roomy);
  const ofSite = await Promise.all(Array.from({ length: 42 }, (_, n) => ask(`2001:db8:1:${n.toString(16)}::/64`, n)));
  expect(ofSite.filter((one) => one === 'refused')).toHaveLength(2);
  expect(await Promise.all(['2001:db8:1f:1::/64', '2001:db8:2:1::/64', '192.0.2.0/24'].map((one, n) => ask(one, 50 + n)))).not.toContain(
    'refused',
  );
});

test('everybody together asks as often as the archive allows', async () => {
  const outcomes = await Promise.all(Array.from({ length: 14 }, (_, n) => order(`p-${n}@example.test`, `net-${n}`)));
  expect(outcomes.filter((one) => one === 'refused')).toHaveLength(2);
});

test("the operator's links count for nobody", async () => {
  for (let n = 0; n < 12; n += 1) await createSignInLink(database.pool, { email: 'ann@example.test', name: '', network: '' });
  expect(await order('ann@example.test', 'net')).toMatchObject({ token: expect.any(String) });
});

test('a link that was taken back opens nothing and counts for its network only', async () => {
  for (let n = 0; n < 10; n += 1) {
    const link = await order('ann@example.test', 'net');
    if (link === null || link === 'refused') throw new Error('a link that never arrived was counted for its address');
    await withdrawSignInLink(database.pool, link.token);
    expect(await spendSignInLink(database.pool, { token: link.token, email: 'ann@example.test' })).toEqual({ outcome: 'dead' });
  }
  expect(await order('ann@example.test', 'net')).toBe('refused');
});

async function order(email: string, network: string, within = limits): Promise<{ token: string } | null | 'refused'> {
  return await orderSignInLink(database.pool, { email, name: 'Ann', network }, within).catch((error: Error) => {
    if ('code' in error && error.code === 'rate_limited') return 'refused' as const;
    throw error;
  });
}
