import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { askFrom, networks } from './ask-from.ts';
import { type AttackedArchive, topics } from './attacked-archive.ts';

/** What one network does to an archive; ends what it began. */
export type Attack = (archive: AttackedArchive) => (() => Promise<void>) | Promise<() => Promise<void>>;

const connectionsMany = 2_000;
const perSecond = 200;
const askersAtOnce = 60;
const afterRefusalMs = 20;

/** Two thousand connections that say a letter of a header now and then, and open anew when they are closed. */
export const slowConnections: Attack = async ({ port }) => {
  const sockets = new Set<Socket>();
  let isOver = false;
  const open = () => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: networks.attacker });
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('connect', () => socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n'));
    socket.once('close', () => {
      sockets.delete(socket);
      // Not at once: who is closed and opens anew in the same moment attacks its own machine first.
      if (!isOver) setTimeout(() => !isOver && open(), 1_000).unref();
    });
  };
  for (let n = 0; n < connectionsMany; n++) {
    open();
    if (n % 100 === 99) await wait(20);
  }
  const dribble = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x-a: b\r\n');
  }, 2_000);
  return () => {
    isOver = true;
    clearInterval(dribble);
    for (const socket of sockets) socket.destroy();
    return Promise.resolve();
  };
};

/** Two hundred plain searches a second, whatever is answered. */
export const manySearches: Attack = (archive) => {
  const token = archive.tokens.attacker;
  const asking = new Set<Promise<unknown>>();
  let n = 0;
  const flood = setInterval(() => {
    for (let k = 0; k < perSecond / 20; k++) {
      const path = `${archive.searchPath}?${new URLSearchParams({ query: `${topics[n % topics.length]} w${(n++).toString(36)}q`, accessToken: token })}`;
      const one = askFrom(networks.attacker, { port: archive.port, path }).finally(() => asking.delete(one));
      asking.add(one);
    }
  }, 50);
  return async () => {
    clearInterval(flood);
    await Promise.all(asking);
  };
};

/** Whatever costs most, from sixty connections at once: conditions of stop words, deep pages, repeated texts, counts, suggestions, examples. */
export const costlySearches: Attack = (archive) => {
  const accessToken = archive.tokens.attacker;
  const all = (base: string, k: number) => Array.from({ length: 8 }, (_, n) => ['query', `${base} -q${k}x${n}`]);
  const musts = '+a +of +the +and +to +in +is +it +that +we +you +i';
  const costly: readonly ((k: number) => string)[] = [
    (k) => `${archive.searchPath}?${new URLSearchParams([...all(musts, k), ['skip', '900'], ['accessToken', accessToken]])}`,
    (k) => `${archive.searchPath}?${new URLSearchParams({ query: `+the +zz${k}`, accessToken })}`,
    (k) => `${archive.searchPath}?${new URLSearchParams([...all('moon music', k), ['pageSize', '100'], ['accessToken', accessToken]])}`,
    (k) => `${archive.searchPath}?${new URLSearchParams({ query: `the of and w${k.toString(36)}q`, skip: '900', accessToken })}`,
    (k) => `${archive.searchPath}/Facets?${new URLSearchParams({ query: `science w${k.toString(36)}q`, accessToken })}`,
    (k) => `/api/suggestions?${new URLSearchParams({ query: `music -zz${k}` })}`,
    () => '/api/search-examples',
  ];
  let isOver = false;
  let k = 0;
  const asker = async () => {
    while (!isOver) {
      const path = costly[k % costly.length]?.(k++) ?? '';
      const { status } = await askFrom(networks.attacker, { port: archive.port, path });
      if (status !== 200) await wait(afterRefusalMs);
    }
  };
  const asking = Array.from({ length: askersAtOnce }, asker);
  return async () => {
    isOver = true;
    await Promise.all(asking);
  };
};
