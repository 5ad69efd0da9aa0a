import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { sha256Of } from '#domain/files/sha256.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import { askForModel, letModelGo, listModels, registerModels } from '#domain/videos/fetched-models.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { fetchLackingModels, fetchModel, removeUnwantedModels, whisperRepository } from './whisper-models.ts';

const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 31) % 251));
const model = { name: 'test', bytes: bytes.length, sha256: sha256Of(bytes), goodAt: '' };

const scratch = await mkdtemp(join(tmpdir(), 'rushes-fetch-model-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(scratch, 'models-'));
});

type Answer = (response: ServerResponse, from: number) => unknown;

/** A hub that answers as it is told, the first request by the first answer; and what it was asked for. */
async function openHub(...answers: Answer[]): Promise<{ hub: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.range ?? 'whole'}`);
    const from = Number(/\d+/.exec(request.headers.range ?? '0')?.[0]);
    answers[Math.min(asked.length, answers.length) - 1]?.(response, from);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { hub: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const head = (response: ServerResponse, from: number) =>
  from > 0 ? response.writeHead(206, { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }) : response.writeHead(200);
const sends: Answer = (response, from) => head(response, from).end(bytes.subarray(from));
const cutsOff: Answer = (response, from) =>
  head(response, from).write(bytes.subarray(from, from + 100_000), () => setImmediate(() => response.destroy()));
const ignoresRange: Answer = (response) => response.writeHead(200).end(bytes);
const stalls: Answer = (response, from) => void head(response, from).write(bytes.subarray(from, from + 10));

interface How {
  readonly signal?: AbortSignal;
  readonly onBytes?: (bytes: number) => void;
  readonly silenceMs?: number;
}

async function fetchFrom(hub: string, { signal = new AbortController().signal, onBytes = () => {}, silenceMs = 20_000 }: How = {}) {
  await fetchModel({ model, hub, folder, reserveBytes: 0, signal, onBytes, patience: { silenceMs, waitsMs: [1, 1] } });
}

test('a model comes into its place whole, and is told on its way', async () => {
  const { hub, asked } = await openHub(sends);
  const told: number[] = [];
  await fetchFrom(hub, { onBytes: (n) => void told.push(n) });
  expect(told.at(-1)).toBe(bytes.length);
  expect(asked).toEqual([`/${whisperRepository.name}/resolve/${whisperRepository.revision}/ggml-test.bin whole`]);
  expect(await readdir(folder)).toEqual(['ggml-test.bin']);
  expect((await readFile(join(folder, 'ggml-test.bin'))).equals(bytes)).toBe(true);
});

test('what was cut off goes on where it broke off, as often as something comes', async () => {
  const { hub, asked } = await openHub(cutsOff, cutsOff, sends);
  await fetchFrom(hub);
  expect(asked).toHaveLength(3);
  expect(Number(/bytes=(\d+)-/.exec(asked[1] ?? '')?.[1])).toBeGreaterThan(0);
  expect((await readFile(join(folder, 'ggml-test.bin'))).equals(bytes)).toBe(true);
});

test('a server that cannot go on in the middle sends the whole again', async () => {
  const { hub } = await openHub(cutsOff, ignoresRange);
  await fetchFrom(hub);
  expect((await readFile(join(folder, 'ggml-test.bin'))).equals(bytes)).toBe(true);
});

test.each<[does: string, answer: Answer, sentence: string, left: string[]]>([
  [
    'sends more than the model has',
    (response) => response.end(Buffer.concat([bytes, bytes])),
    'is larger than the model’s 300,000 bytes',
    ['ggml-test.bin.part'],
  ],
  ['sends something else of the same size', (response) => response.end(Buffer.alloc(bytes.length)), 'has the wrong checksum', []],
  ['sends nothing', (response) => response.end(), 'The model could not be downloaded: the connection was lost.', ['ggml-test.bin.part']],
  ['does not have it', (response) => response.writeHead(404).end(), 'its server answered 404', []],
  ['stands still', (response) => void response.writeHead(200).flushHeaders(), 'the server stopped sending', ['ggml-test.bin.part']],
])('a model is not used from a server that %s, and it is said why', async (does, answer, sentence, left) => {
  const { hub } = await openHub(answer);
  await expect(fetchFrom(hub, does === 'stands still' ? { silenceMs: 100 } : {})).rejects.toThrow(sentence);
  expect(await readdir(folder)).toEqual(left);
  const again = await openHub(sends);
  await fetchFrom(again.hub);
  expect(await readdir(folder)).toEqual(['ggml-test.bin']);
});

test('a worker that stops leaves what came to the next one', async () => {
  const stopping = new AbortController();
  const { hub } = await openHub(stalls);
  await expect(fetchFrom(hub, { signal: stopping.signal, onBytes: () => stopping.abort() })).rejects.toThrow('abort');
  const again = await openHub(sends);
  await fetchFrom(again.hub);
  expect(again.asked[0]).toContain('bytes=10-');
});

test('a machine fetches what was fetched to another one, says where that cannot be had and tries again later, and fetches nothing that nobody asked for', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { pool } = database;
  const known = { ...model, licence: 'MIT', source: 'a hub' };
  const unasked = { ...model, name: 'unasked' };
  await registerModels(pool, [
    { ...known, isHere: true },
    { ...known, name: 'unasked', isHere: false },
  ]);
  const other = archiveFolderIn(join(folder, 'other machine'));
  const tried = new Map<string, { times: number; againMs: number }>();
  const fetch = async (hub: string, inMinutes = 0) => {
    const speech = { allowsRough: false, searchPath: '', modelHub: hub };
    const { signal } = new AbortController();
    return await fetchLackingModels(
      { pool, folder: other, speech, reserveBytes: 0 },
      { signal, tried, models: [model, unasked], now: Date.now() + inMinutes * 60_000 },
    );
  };
  // One that starts without it leaves what is known of the others.
  await registerModels(
    pool,
    [known, unasked].map((one) => ({ ...known, ...one, isHere: false })),
  );
  const { hub, asked } = await openHub((response) => response.writeHead(404).end(), sends);
  const told = async () => (await listModels(pool)).map(({ state, message }) => [state, message]);
  expect(await fetch(hub)).toBe(0);
  // The machine that has it goes on with it.
  expect(await told()).toEqual([
    ['here', expect.stringMatching(/^One machine still lacks it\. .*404\.$/)],
    ['absent', null],
  ]);
  expect([await fetch(hub), asked.length]).toEqual([0, 1]);
  // The worker that it failed for was started anew.
  tried.clear();
  expect([await fetch(hub, 5), await fetch(hub, 5), await readdir(other.models)]).toEqual([1, 0, ['ggml-test.bin']]);
  expect([asked.length, await told()]).toEqual([
    2,
    [
      ['here', null],
      ['absent', null],
    ],
  ]);
});

test('a model that was removed goes from every machine until it is asked for again; what nobody had removed stays, also where nobody asked for it', async () => {
  const database = await createTestDatabase();
  const { pool } = database;
  const queue = await openJobQueue(pool, { onError: () => {} });
  onTestFinished(async () => {
    await queue.stop();
    await database.drop();
  });
  const models = ['kept', 'removed', 'half', 'byhand'].map((name) => ({ ...model, name }));
  const register = async (...here: string[]) =>
    await registerModels(
      pool,
      models.map((one) => ({ ...one, licence: 'MIT', source: 'a hub', isHere: here.includes(one.name) })),
    );
  const stateOf = async (wanted: string) => (await listModels(pool)).find(({ name }) => name === wanted)?.state;
  await register('kept', 'removed', 'half');
  for (const name of ['removed', 'half']) await letModelGo({ pool, queue }, name);
  const machine = archiveFolderIn(join(folder, 'late machine'));
  await mkdir(machine.models, { recursive: true });
  for (const name of ['ggml-kept.bin', 'ggml-removed.bin', 'ggml-half.bin.part', 'ggml-byhand.bin', 'ggml-own.bin'])
    await writeFile(join(machine.models, name), '');
  expect(await removeUnwantedModels({ pool, folder: machine }, models)).toBe(1);
  expect((await readdir(machine.models)).sort()).toEqual(['ggml-byhand.bin', 'ggml-kept.bin', 'ggml-own.bin']);
  // A machine that has not heard of it yet starts with the file.
  await register('kept', 'removed', 'byhand');
  expect([await stateOf('removed'), await stateOf('byhand')]).toEqual(['absent', 'here']);

  await askForModel({ pool, queue }, 'removed');
  await writeFile(join(machine.models, 'ggml-removed.bin'), '');
  expect(await removeUnwantedModels({ pool, folder: machine }, models)).toBe(0);
  await register('kept', 'removed', 'byhand');
  expect(await stateOf('removed')).toBe('here');
});
