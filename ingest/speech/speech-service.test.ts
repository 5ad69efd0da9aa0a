import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { HeardLine } from '#domain/transcripts/heard-line.ts';
import { openSpeechService } from './speech-service.ts';

const folder = await mkdtemp(join(tmpdir(), 'rushes-speech-service-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const sound = join(folder, 'sound.pcm');
const seconds = 4;
await writeFile(sound, Buffer.alloc(seconds * 16_000 * 2));

const neverAsked = () => Promise.reject(new Error('no child is needed'));
/** A busy machine answers late; those that never answer are waited for only so long. */
const [long, short] = [20_000, 1_000];

interface Asked {
  readonly url: string;
  readonly requests: { readonly authorization: string | undefined; readonly body: string }[];
  hear(chunks?: [number, number][]): Promise<HeardLine[]>;
}

/** A service that answers as it is told, the first request by the first answer. */
async function standIn(answers: ((response: ServerResponse) => unknown)[], answerWithinMs = long): Promise<Asked> {
  const requests: Asked['requests'] = [];
  const answer: RequestListener = (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      requests.push({ authorization: request.headers.authorization, body: Buffer.concat(parts).toString('latin1') });
      answers[Math.min(requests.length, answers.length) - 1]?.(response);
    });
  };
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/audio/transcriptions`;
  const { hear } = openSpeechService({ url, key: 'the key', model: 'ears-1' }, { answerWithinMs, waitsMs: [1, 1] });
  const context = { runEngine: neverAsked, runProgram: neverAsked };
  const input = { path: sound, timeoutMs: 1_000 };
  return { url, requests, hear: (chunks = [[1_000, 3_000]]) => hear(context, { input, workFolder: folder, chunks }) };
}

const says =
  (body: unknown) =>
  (response: ServerResponse): unknown =>
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
const fails =
  (status: number) =>
  (response: ServerResponse): unknown =>
    response.writeHead(status).end('{}');
const line = { start: 0.5, end: 1.5, text: ' Hello there' };
const words = [
  { word: 'Hello', start: 0.5, end: 0.9 },
  { word: 'there', start: 1, end: 1.5 },
];

test('each chunk is sent as a WAV file with key and model, and what is said in it stands at its second of the film', async () => {
  const { hear, requests } = await standIn([says({ text: 'Hello there', segments: [line], words })]);
  const heard = await hear([
    [0, 2_000],
    [2_000, 4_000],
  ]);
  expect(heard.map(({ start, end, text }) => [start, end, text.trim()])).toEqual([
    [0.5, 1.5, 'Hello there'],
    [2.5, 3.5, 'Hello there'],
  ]);
  expect(heard[1]?.words.map(({ text, start }) => [text, start])).toEqual([
    ['Hello', 2.5],
    ['there', 3],
  ]);
  expect(requests).toHaveLength(2);
  expect(requests[0]?.authorization).toBe('Bearer the key');
  expect(requests[0]?.body).toContain('RIFF');
  expect(requests[0]?.body).toMatch(/name="model"\s+ears-1/);
  expect(requests[0]?.body).toMatch(/name="response_format"\s+verbose_json/);
});

test('one that fails, stalls or says rubbish is asked again', async () => {
  const { hear, requests } = await standIn([fails(503), () => {}, says({ segments: [line] })], short);
  expect(await hear()).toHaveLength(1);
  expect(requests).toHaveLength(3);
});

test.each([
  ['fails', fails(500), 'The speech service answered 500.'],
  ['stalls', () => {}, 'The speech service did not answer in time.'],
  ['answers rubbish', says('<html>'), 'The speech service answered with invalid JSON.'],
  ['answers without end', says('x'.repeat(5 * 1024 * 1024)), 'The speech service could not be reached: its answer is too long.'],
  ['hangs up', (response: ServerResponse): unknown => response.destroy(), 'The speech service could not be reached: '],
] as const)('of one that always %s the film says so, after three tries', async (does, answer, sentence) => {
  const { hear, requests } = await standIn([answer], does === 'stalls' ? 100 : long);
  await expect(hear()).rejects.toThrow(sentence);
  expect(requests).toHaveLength(3);
});

test('one that refuses the key is not asked again, and the operator hears of which setting', async () => {
  const { hear, requests } = await standIn([fails(401)]);
  await expect(hear()).rejects.toMatchObject({ kind: { is: 'tool-missing' }, message: expect.stringContaining('RUSHES_SPEECH_KEY') });
  expect(requests).toHaveLength(1);
});

test('one that sends the sound on to another address is not followed', async () => {
  const other = await standIn([says({ segments: [line] })]);
  const { hear } = await standIn([(response) => response.writeHead(307, { location: other.url }).end()]);
  await expect(hear()).rejects.toThrow('could not be reached');
  expect(other.requests).toHaveLength(0);
});

test('nothing counts that a service says of seconds outside the sound, or in another form', async () => {
  const lies = [
    { ...line, start: 2.5, end: 3 },
    { ...line, start: -1 },
    { ...line, start: 1e12, end: 1e13 },
    { ...line, start: 1.5, end: 1 },
    { ...line, text: 7 },
    'rubbish',
    { ...line, start: 1, end: 9_000, text: 'to the end' },
  ];
  const { hear } = await standIn([says({ segments: lies })]);
  expect((await hear()).map(({ start, end, text }) => [start, end, text])).toEqual([[2, 3, 'to the end']]);
});
