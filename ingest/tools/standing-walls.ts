import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { parseJson } from '#domain/system/parse-json.ts';
import type { RunDecoder } from './decoder-call.ts';

/**
 * What a decoder can be kept from: files other than its own, sockets in the file system, the network, other processes, and more memory
 * than it is given.
 */
export const walls = ['files', 'sockets', 'network', 'processes', 'memory'] as const;
export type Wall = (typeof walls)[number];

const intruder = join(import.meta.dirname, 'intruder.mjs');
const Reached = z.object({ reached: z.array(z.string()) });
const limits = { memoryBytes: 2 * 1024 ** 3, cpuSeconds: 10, fileBytes: 1_000_000 };
/** Little more than a process of Node.js has to begin with: each megabyte more is one that every start of a worker has to fill. */
const gluttonMemoryBytes = 96 * 1024 ** 2;
const quickMs = 30_000;

/**
 * The walls that stand, found out by a program that runs as a decoder does and tries to get through each: it reads `secrets.json` and
 * another file of the archive, connects to the database's socket and another one, reaches for a listener on this machine, looks for the
 * process that started it, and takes more memory than it may.
 */
export async function findStandingWalls(run: RunDecoder, dataFolder: string): Promise<Wall[]> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'rushes-walls-'));
  const secret = join(dataFolder, 'work', `wall-${randomBytes(6).toString('hex')}`);
  const [overNetwork, overSocket] = [createServer((socket) => socket.end()), createServer((socket) => socket.end())];
  try {
    await mkdir(join(dataFolder, 'work'), { recursive: true });
    await writeFile(secret, 'what no decoder may read');
    const port = await startListening(overNetwork, 0);
    await startListening(overSocket, join(folder, 'socket'));
    const goals = {
      files: [secret, join(dataFolder, 'secrets.json')],
      sockets: [join(folder, 'socket'), join(dataFolder, 'pg', '.s.PGSQL.5432')],
      network: [port],
    };
    const call = { command: process.execPath, programs: [intruder], inputs: [], outputs: [] };
    const glutton = { ...call, args: [intruder, 'memory'], limits: { ...limits, memoryBytes: gluttonMemoryBytes } };
    const [{ stdout }, { overrun }] = await Promise.all([
      run({ ...call, args: [intruder, JSON.stringify(goals)], limits }, { timeoutMs: quickMs }),
      run(glutton, { timeoutMs: quickMs }),
    ]);
    const told = Reached.safeParse(parseJson(stdout));
    // A program that could not even say what it reached proves nothing.
    return walls.filter((wall) => (wall === 'memory' ? overrun === 'memory' : told.success && !told.data.reached.includes(wall)));
  } finally {
    overNetwork.close();
    overSocket.close();
    await rm(secret, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

async function startListening(server: Server, at: number | string): Promise<number> {
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    if (typeof at === 'number') server.listen(at, '127.0.0.1', done);
    else server.listen(resolve(at), done);
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
