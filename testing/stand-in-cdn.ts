import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';

/** What stands before an archive in the place of a content delivery network; it reads cookies as CloudFront is documented to, and keeps segments by their whole address. */
export interface StandInCdn {
  /** The address that visitors know. */
  readonly origin: string;
  /** What the archive has to be started with. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where the archive itself is, once it is. */
  standBefore(archive: string): void;
  /** Lets it believe that it is later. */
  turnClock(bySeconds: number): void;
  /** How many segments it handed out from what it keeps, how many it fetched for that, and how often it let nobody in. */
  readonly counts: { kept: number; fetched: number; refused: number };
  stop(): Promise<void>;
}

const segment = /^\/media\/[0-9a-f]{10}\/hls\/[^?]+\.(?:m4s|mp4)(?:\?|$)/;

/** Listens on this machine, and has a key pair made, whose private half it puts into a file. */
export async function startStandInCdn(keyFile: string): Promise<StandInCdn> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const keyPairId = 'K2JCJMDEHXQW5F';
  const kept = new Map<string, Answer>();
  const counts = { kept: 0, fetched: 0, refused: 0 };
  let archive = '';
  let ahead = 0;
  const keys = new Map([[keyPairId, publicKey]]);
  const handOut = async (request: IncomingMessage, response: ServerResponse, origin: string) => {
    const path = request.url ?? '';
    if (!segment.test(path)) return send(response, await fetchFrom(archive, request));
    const cookies = readCookies(request.headers.cookie);
    if (!isLetIn({ cookies, address: origin + path, keys, nowSeconds: Date.now() / 1_000 + ahead })) {
      counts.refused += 1;
      return response.writeHead(403).end();
    }
    const known = kept.get(path);
    counts[known ? 'kept' : 'fetched'] += 1;
    const answer = known ?? (await fetchFrom(archive, request));
    if (answer.status === 200) kept.set(path, answer);
    send(response, answer);
  };
  const listener: RequestListener = (request, response) => {
    handOut(request, response, origin).catch(() => response.writeHead(502).end());
  };
  const server = createServer(listener).listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://localhost:${typeof address === 'object' ? address?.port : ''}`;
  return {
    origin,
    counts,
    settings: { RUSHES_PUBLIC_URL: origin, RUSHES_CDN_KEY_PAIR: keyPairId, RUSHES_CDN_KEY_FILE: keyFile },
    standBefore: (address) => (archive = address),
    turnClock: (bySeconds) => (ahead += bySeconds),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: readonly [string, string][];
  readonly body: Buffer;
}

interface Asking {
  readonly cookies: ReadonlyMap<string, string>;
  readonly address: string;
  readonly keys: ReadonlyMap<string, KeyObject>;
  readonly nowSeconds: number;
}

/** As its documentation says it: the policy is signed by a key that is trusted, names the address, and has not ended. */
function isLetIn({ cookies, address, keys, nowSeconds }: Asking): boolean {
  const [policy, signature] = ['CloudFront-Policy', 'CloudFront-Signature'].map((name) => fromCookie(cookies.get(name) ?? ''));
  const key = keys.get(cookies.get('CloudFront-Key-Pair-Id') ?? '');
  if (!(policy && signature && key && verify('sha1', policy, key, signature))) return false;
  const [{ Resource, Condition }] = JSON.parse(policy.toString()).Statement;
  return address.startsWith(String(Resource).replace(/\*$/, '')) && nowSeconds < Condition.DateLessThan['AWS:EpochTime'];
}

function fromCookie(text: string): Buffer {
  return Buffer.from(text.replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/'), 'base64');
}

function readCookies(header = ''): Map<string, string> {
  return new Map(header.split(/;\s*/).map((pair): [string, string] => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)]));
}

const ofOneConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding']);

async function fetchFrom(archive: string, request: IncomingMessage): Promise<Answer> {
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    ofOneConnection.has(name) || value === undefined ? [] : [[name, String(value)]],
  );
  const body = ['GET', 'HEAD'].includes(request.method ?? '') ? undefined : Buffer.concat(await Array.fromAsync(request));
  const answer = await fetch(archive + request.url, {
    method: request.method ?? 'GET',
    headers,
    redirect: 'manual',
    ...(body ? { body } : {}),
  });
  const kept = [...answer.headers].filter(([name]) => !ofOneConnection.has(name));
  return { status: answer.status, headers: kept, body: Buffer.from(await answer.arrayBuffer()) };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  for (const [name, value] of headers) response.appendHeader(name, value);
  response.writeHead(status).end(body);
}
