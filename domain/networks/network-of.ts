/*
 * Networks: under what a caller is counted (here, counted-networks), and the one way out to other servers (ask-outside).
 */
import { isIPv6 } from 'node:net';

/** The network that an address is counted under: the first 24 bits of an IPv4 address, the first 64 of an IPv6 one, in one spelling. */
export function networkOf(address: string): string {
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(address)?.[1];
  if (ipv4) return `${ipv4}.0/24`;
  if (!isIPv6(address)) return address;
  // The URL parser spells every IPv6 address in the same way.
  const groups = new URL(`http://[${address.split('%', 1)[0]}]/`).hostname.slice(1, -1);
  const [head = '', tail] = groups.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - front.length - back.length }, () => '0');
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}
