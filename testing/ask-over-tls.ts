import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';

export interface TlsQuestion {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Address of this machine that it comes from. */
  readonly from?: string;
}

/** A request to archive.example on this machine, whose certificate is believed; the answer's body is still to be read. */
export function openOverTls({ port, ca }: { port: number; ca: string }, question: TlsQuestion): Promise<IncomingMessage> {
  const { path, method = 'GET', headers = {}, body, from } = question;
  const host = 'archive.example';
  return new Promise((done, fail) => {
    const options = { host: '127.0.0.1', port, ca, servername: host, path, method, headers: { host, ...headers }, agent: false } as const;
    request(from ? { ...options, localAddress: from } : options, done)
      .on('error', fail)
      .end(body);
  });
}

/** The same, to its end. */
export async function askOverTls(place: { port: number; ca: string }, question: TlsQuestion): Promise<{ status: number; body: string }> {
  const answer = await openOverTls(place, question);
  return { status: answer.statusCode ?? 0, body: await text(answer) };
}
