import { networkOf } from './network-of.ts';

/** A network under which something is counted, and how many networks' share it has. */
export interface CountedNetwork {
  readonly name: string;
  readonly shares: number;
}

/** So many networks' share has the site of an IPv6 network: whoever is given one often has all of its 65,536 networks. */
export const networksPerSite = 4;

/** Under what an address is counted wherever somebody could ask too much: its network, and for IPv6 the site of 48 bits around it. */
export function countedNetworksOf(address: string): readonly CountedNetwork[] {
  const network = networkOf(address);
  const beginning = siteBeginningOf(network);
  return [{ name: network, shares: 1 }, ...(beginning === undefined ? [] : [{ name: `${beginning}:/48`, shares: networksPerSite }])];
}

/** How the networks of the same 48 bits begin, when it is an IPv6 network of 64. */
export function siteBeginningOf(network: string): string | undefined {
  return /^(?:[0-9a-f]+:){3}(?=[0-9a-f]+::\/64$)/.exec(network)?.[0];
}
