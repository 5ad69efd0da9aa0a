import { type Agent, get } from 'node:http';

/** One answer: its status (0 when there was none), and how long it took in milliseconds. */
export interface Answered {
  readonly status: number;
  readonly ms: number;
}

/** Networks of this machine: on Linux every address that begins with 127 is loopback. */
export const networks = { attacker: '127.0.0.1', others: '127.0.9.9' } as const;

/** Asks the archive from an address of this machine, and reads the answer to its end. */
export function askFrom(
  localAddress: string,
  { port, path, agent = false }: { port: number; path: string; agent?: Agent | false },
): Promise<Answered> {
  return new Promise((resolve) => {
    const at = performance.now();
    const answered = (status: number) => resolve({ status, ms: performance.now() - at });
    get({ host: '127.0.0.1', port, path, localAddress, agent, headers: { host: `localhost:${port}` } }, (response) => {
      response.resume();
      response.once('end', () => answered(response.statusCode ?? 0)).once('error', () => answered(0));
    }).once('error', () => answered(0));
  });
}
