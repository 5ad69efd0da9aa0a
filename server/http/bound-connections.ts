import type { Server } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { countedNetworks } from '#domain/networks/counted-networks.ts';
import type { Config } from '../config.ts';

/** Of everybody together: each takes some tens of kilobytes, and a live page keeps one for as long as it is open. */
const connectionsMax = 4_000;

/**
 * Closes at once what is more than this server keeps open, in all and of one network: else one network could take every connection
 * by opening them and saying nothing. A trusted proxy has no bound of its own, for it speaks for everybody.
 */
export function boundConnections(server: Server, { connectionsPerNetwork, trustedProxies }: Config): void {
  const isProxy = addressesOf(trustedProxies);
  const open = new Map<string, number>();
  server.maxConnections = connectionsMax;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isProxy(address)) return;
    const networks = countedNetworks(address);
    if (networks.some(({ name, shares }) => (open.get(name) ?? 0) >= connectionsPerNetwork * shares)) {
      socket.destroy();
      return;
    }
    for (const { name } of networks) open.set(name, (open.get(name) ?? 0) + 1);
    socket.once('close', () => {
      for (const { name } of networks) {
        const left = (open.get(name) ?? 0) - 1;
        if (left > 0) open.set(name, left);
        else open.delete(name);
      }
    });
  });
}

/** Names that stand for several networks where proxies are listed. */
const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Whether an address is one of these; an entry that cannot be read here is none. */
function addressesOf(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries.flatMap((one) => named[one] ?? [one])) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    if (family === 0) continue;
    list.addSubnet(address, Number(bits ?? (family === 6 ? 128 : 32)), family === 6 ? 'ipv6' : 'ipv4');
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
