import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';

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
