/*
 * Networks: under what a caller is counted (here, counted-networks), and the way out to other servers
 * (ask-outside), which every request takes but those that sign-in makes by itself (signin/providers, signin/discovery).
 */
import { isIP } from 'node:net';

/** What is no address, and is counted as one: else whoever writes the header of a proxy would have as many networks as they like. */
const unknownNetwork = 'unknown';

/** The network that an address is counted under: the first 24 bits of an IPv4 address, the first 64 of an IPv6 one, in one spelling. */
export function networkOf(given: string): string {
  const address = withoutPort(given);
  if (isIP(address) === 0) return unknownNetwork;
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(address)?.[1];
  if (ipv4) return `${ipv4}.0/24`;
  // The URL parser spells every IPv6 address in the same way.
  const groups = new URL(`http://[${address.split('%', 1)[0]}]/`).hostname.slice(1, -1);
  const [head = '', tail] = groups.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - front.length - back.length }, () => '0');
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}

/** Some proxies write the port of the visitor, too, which is another for every connection. */
function withoutPort(address: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}
