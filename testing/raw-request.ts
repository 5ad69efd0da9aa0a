import { request } from 'node:http';

/** The status of a GET whose path nobody tidies up on its way, as `fetch` and browsers would. */
export function rawStatus(origin: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { hostname, port } = new URL(origin);
  return new Promise((done, fail) => {
    request({ hostname, port, path, headers }, (answer) => done(answer.resume().statusCode ?? 0))
      .on('error', fail)
      .end();
  });
}
