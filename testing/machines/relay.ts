import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** An address of its own before a port of this machine. */
export interface Relay {
  readonly port: number;
  /** Cuts every connection; the next ones go to this port. */
  leadTo(port: number): void;
  /** Bytes go nowhere and no connection ends, as where a machine is lost; or they flow again. */
  hang(isHanging: boolean): void;
  /** Whatever comes from there or goes there takes so much longer from now on. */
  slowBy(delayMs: number): void;
  close(): void;
}

/** Opens an address that leads to `first`, a port of this machine or the path of a socket. */
export async function openRelay(first: number | string): Promise<Relay> {
  let [leadsTo, isHanging, delayMs]: [number | string, boolean, number] = [first, false, 0];
  const open = new Set<Socket>();
  const pass = (from: Socket, to: Socket) => {
    // One after the other, each as late as it came.
    let sent = Promise.resolve();
    from.on('data', (bytes) => {
      if (isHanging) return;
      const due = delayMs > 0 ? wait(delayMs) : undefined;
      sent = sent.then(() => due).then(() => void (to.destroyed || to.write(bytes)));
    });
    from.on('end', () => void sent.then(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => open.delete(from));
    open.add(from.setNoDelay(true));
  };
  const server = createServer({ allowHalfOpen: true }, (from) => {
    const to = connect({
      ...(typeof leadsTo === 'string' ? { path: leadsTo } : { port: leadsTo, host: '127.0.0.1' }),
      allowHalfOpen: true,
    });
    pass(from, to);
    pass(to, from);
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
      cut();
    },
    hang: (is) => {
      isHanging = is;
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
