import { request } from 'node:http';
import { connect } from 'node:net';

/** The status of a GET whose path nobody tidies up on its way, as `fetch` and browsers would. */
export function rawStatus(origin: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { hostname, port } = new URL(origin);
  return new Promise((done, fail) => {
    request({ hostname, port, path, headers }, (answer) => done(answer.resume().statusCode ?? 0))
      .on('error', fail)
      .end();
  });
}

export interface RawAnswer {
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  /** Lines of the head, as they came. */
  readonly head: string;
  readonly body: string;
}

/** Sends these bytes as they are and returns what came back until the connection ended, which the request has to ask for. */
export function rawAnswer(origin: string, request: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((done) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(request, 'latin1'));
    socket.setEncoding('latin1').on('data', (chunk) => (answer += chunk));
    socket.on('error', () => {}).on('close', () => done(readAnswer(answer)));
  });
}

function readAnswer(answer: string): RawAnswer {
  const end = answer.indexOf('\r\n\r\n');
  const [head, body] = end < 0 ? [answer, ''] : [answer.slice(0, end), answer.slice(end + 4)];
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body };
}
