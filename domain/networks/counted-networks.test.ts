import { expect, test } from 'vitest';
import { countedNetworksOf } from './counted-networks.ts';

test('an IPv4 address is counted under its network alone', () => {
  expect(countedNetworksOf('198.51.100.7')).toEqual([{ name: '198.51.100.0/24', shares: 1 }]);
});

test('an IPv6 address is counted under its network, and under its site as four', () => {
  expect(countedNetworksOf('2001:db8:0:1::5')).toEqual([
    { name: '2001:db8:0:1::/64', shares: 1 },
    { name: '2001:db8:0::/48', shares: 4 },
  ]);
  const siteOf = (address: string) => countedNetworksOf(address)[1]?.name;
  expect(siteOf('2001:db8:0:ffff::1')).toBe(siteOf('2001:db8:0:1::5'));
  expect(siteOf('2001:db8:1:1::5')).not.toBe(siteOf('2001:db8:0:1::5'));
});
