import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { addPerson } from '#testing/add-person.ts';
import { endsOf, madeBytes } from '#testing/made-bytes.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';
import { beginUploadIn, headersOf, pieceOfUpload } from '#testing/upload-client.ts';

const perNetwork = 5;
let server: TestServer;
let port: number;
const sockets: Socket[] = [];

beforeAll(async () => {
  server = await startTestServer({ RUSHES_CONNECTIONS_PER_NETWORK: `${perNetwork}` });
  port = Number(new URL(await server.listen()).port);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await until(async () => (await connectionsOf(server)) === 0);
});
afterAll(() => server.stop());

test('headers that come letter by letter end within ten seconds', { timeout: 40_000 }, async () => {
  const socket = await open();
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n');
  let lines = 0;
  const dribble = setInterval(() => {
    socket.write('x-a: b\r\n');
    lines++;
  }, 500);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  await once(socket, 'close');
  clearInterval(dribble);
  // Both are timed by one process, however busy the machine is: two lines a second, and no more of them than fit into that time.
  expect([answer.split('\r\n', 1)[0], lines <= 21]).toEqual(['HTTP/1.1 408 Request Timeout', true]);
});

test('one network keeps so many connections open, the next is closed at once, and one that ends makes room', async () => {
  const kept = await Promise.all(Array.from({ length: perNetwork }, () => open()));
  await until(async () => (await connectionsOf(server)) === perNetwork);
  const refused = await open();
  await once(refused, 'close');
  expect(kept.filter(({ destroyed }) => destroyed)).toEqual([]);
  // Another network of this machine.
  const other = await open('127.0.9.9');
  expect(await ask(other)).toMatch(/^HTTP\/1\.1 200 /);
  kept[0]?.destroy();
  await until(async () => (await connectionsOf(server)) === perNetwork);
  expect(await ask(await open())).toMatch(/^HTTP\/1\.1 200 /);
});

test('a trusted proxy keeps as many as it needs', async () => {
  const behind = await startTestServer({ RUSHES_CONNECTIONS_PER_NETWORK: '2', RUSHES_TRUST_PROXY: '10.0.0.0/8, 127.0.0.1' });
  try {
    const itsPort = Number(new URL(await behind.listen()).port);
    const answers = await Promise.all(Array.from({ length: 6 }, async () => ask(await open('127.0.0.1', itsPort))));
    expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 200 '))).toHaveLength(6);
  } finally {
    for (const socket of sockets.splice(0)) socket.destroy();
    await behind.stop();
  }
});

test('a file goes on for as long as it comes, and ends when nothing of it has come for a minute', async () => {
  const bytes = madeBytes(1_000, 'slow');
  const editor = await addPerson(server.context, { editor: true });
  const begun = await beginUploadIn(server, editor, { name: 'Slow.mp4', size: bytes.length, ends: endsOf(bytes) });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const arrived = once(server.app.server, 'connection') as Promise<[Socket]>;
    const socket = await open();
    const [atServer] = await arrived;
    const ended = once(socket, 'close');
    const send = async (piece: string | Uint8Array) => {
      const before = atServer.bytesRead;
      socket.write(piece);
      await until(() => atServer.bytesRead === before + piece.length);
    };
    const headers = { ...headersOf(editor), ...pieceOfUpload, 'upload-offset': '0', 'content-length': '1000' };
    const asked = once(server.app.server, 'request');
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    await send(`PATCH ${begun.headers.location} HTTP/1.1\r\n${lines.join('')}\r\n`);
    await asked;
    for (const at of [0, 10, 20]) {
      await send(bytes.subarray(at, at + 10));
      vi.advanceTimersByTime(60_000);
    }
    expect(atServer.destroyed).toBe(false);
    vi.advanceTimersByTime(60_000);
    await ended;
  } finally {
    vi.useRealTimers();
  }
});

async function open(localAddress = '127.0.0.1', to = port): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: to, localAddress });
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

async function ask(socket: Socket): Promise<string> {
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [chunk] = await once(socket, 'data');
  return String(chunk);
}

function connectionsOf({ app }: TestServer): Promise<number> {
  return new Promise((resolve, reject) => app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
}
