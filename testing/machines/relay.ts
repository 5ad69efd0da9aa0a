import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** An address of its own before a port of this machine. */
export interface Relay {
  readonly port: number;
  /** The next connections go to this port. Those that there are it cuts, or leaves hanging for good where they hang: a machine that is lost ends none. */
  leadTo(port: number | string): void;
  /** Bytes go nowhere and no connection ends, as where a machine is lost; or they flow again. */
  hang(isHanging: boolean): void;
  /** Whatever comes from there or goes there takes so much longer from now on. */
  slowBy(delayMs: number): void;
  close(): void;
}

/** Opens an address that leads to `first`, a port of this machine or the path of a socket. */
export async function openRelay(first: number | string): Promise<Relay> {
  let [leadsTo, delayMs]: [number | string, number] = [first, 0];
  let way = { isHanging: false };
  const open = new Set<Socket>();
  const pass = (from: Socket, to: Socket, along: { readonly isHanging: boolean }) => {
    // One after the other, each as late as it came.
    let sent = Promise.resolve();
    from.on('data', (bytes) => {
      if (along.isHanging) return;
      const due = delayMs > 0 ? wait(delayMs) : undefined;
      sent = sent.then(() => due).then(() => void (to.destroyed || to.write(bytes)));
    });
    from.on('end', () => void sent.then(() => along.isHanging || to.end()));
    from.on('error', () => along.isHanging || to.destroy());
    from.on('close', () => open.delete(from));
    open.add(from.setNoDelay(true));
  };
  const server = createServer({ allowHalfOpen: true }, (from) => {
    const to = connect({
      ...(typeof leadsTo === 'string' ? { path: leadsTo } : { port: leadsTo, host: '127.0.0.1' }),
      allowHalfOpen: true,
    });
    pass(from, to, way);
    pass(to, from, way);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    leadTo: (port) => {
      leadsTo = port;
      if (way.isHanging) way = { isHanging: false };
      else cut();
    },
    hang: (is) => {
      way.isHanging = is;
    },
    slowBy: (ms) => {
      delayMs = ms;
    },
    close: () => {
      server.close();
      cut();
    },
  };
}
