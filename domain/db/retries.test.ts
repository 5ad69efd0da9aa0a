import { mkdtempSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#testing/test-database.ts';
import { openDatabase } from './open-database.ts';

/** A way to the tests' PostgreSQL on which as many connections as `late` get no answer before one does. */
async function slowWayTo(host: string, { late }: { late: number }) {
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    open.add(socket.on('error', () => {}));
    connections += 1;
    if (connections <= late) return;
    const database = connect(join(host, '.s.PGSQL.5432')).on('error', () => {});
    open.add(database);
    socket.pipe(database).pipe(socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  return { port, connections: () => connections, close };
}

test('a start waits for a database that takes longer than a request would wait for it', { timeout: 60_000 }, async () => {
  const { address, name, drop } = await createTestDatabase();
  const way = await slowWayTo(address.host ?? '', { late: 2 });
  const databaseUrl = `postgres://${address.user}:${address.password}@127.0.0.1:${way.port}/${name}`;
  const database = await openDatabase({ databaseUrl, dataFolder: mkdtempSync(join(tmpdir(), 'rushes-late-')) });
  expect(way.connections()).toBe(3);
  await database.close();
  way.close();
  await drop();
});

test('a start on a database that refuses it says so at once', async () => {
  const way = await slowWayTo('', { late: 1 });
  way.close();
  const databaseUrl = `postgres://nobody@127.0.0.1:${way.port}/nothing`;
  const opened = openDatabase({ databaseUrl, dataFolder: mkdtempSync(join(tmpdir(), 'rushes-late-')) });
  await expect(opened).rejects.toThrow('ECONNREFUSED');
});
