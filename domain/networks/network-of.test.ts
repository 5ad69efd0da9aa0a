import { expect, test } from 'vitest';
import { networkOf } from './network-of.ts';

test('every spelling of an address is the same network', () => {
  expect(networkOf('127.0.0.1')).toBe('127.0.0.0/24');
  expect(networkOf('::ffff:127.0.0.1')).toBe('127.0.0.0/24');
  expect(networkOf('::FFFF:127.0.0.200')).toBe('127.0.0.0/24');
  expect(networkOf('2001:db8:0:1::5')).toBe('2001:db8:0:1::/64');
  expect(networkOf('2001:0DB8:0000:0001:ffff::1')).toBe('2001:db8:0:1::/64');
  expect(networkOf('::1')).toBe('0:0:0:0::/64');
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
});

test('a port beside an address makes no other network of it', () => {
  expect(networkOf('198.51.100.7:40312')).toBe('198.51.100.0/24');
  expect(networkOf('[2001:db8:0:1::5]:40312')).toBe('2001:db8:0:1::/64');
  expect(networkOf('[2001:db8:0:1::5]')).toBe('2001:db8:0:1::/64');
});

test('whatever is no address is one network', () => {
  const networks = ['', 'unknown', '_hidden', 'a.b', '1.2.3.999', '1.2.3.4:x', '[::1', '1.2.3.4:5:6'].map(networkOf);
  expect([...new Set(networks)]).toHaveLength(1);
});

test('neighbouring networks are not one', () => {
  expect(networkOf('2001:db8:0:2::5')).not.toBe(networkOf('2001:db8:0:1::5'));
  expect(networkOf('198.51.100.7')).not.toBe(networkOf('198.51.101.7'));
});
