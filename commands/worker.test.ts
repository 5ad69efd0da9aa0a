import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import { listProcesses } from '#domain/status/processes.ts';
import { findEngines, type KnownEngine, registerEngines } from '#domain/videos/engines.ts';
import { askForModel, letModelGo, listModels } from '#domain/videos/fetched-models.ts';
import { hidingQueue } from '#domain/videos/rough-speech.ts';
import { publishEngines } from '#ingest/engines.ts';
import { importFile } from '#ingest/footage/import-file.ts';
import { canMakeMedia, makeClip } from '#testing/media-clips.ts';
import { ownEnvironment } from '#testing/own-environment.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';

let archive: TestIngest;
beforeAll(async () => {
  archive = await openTestIngest(undefined, { steps: [] });
});
afterAll(async () => await archive.close());

const startWorker = (more: Record<string, string>) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'worker.ts')], {
    env: ownEnvironment({ DATABASE_URL: archive.database.url, RUSHES_DATA: archive.context.folder.root, RUSHES_SAMPLES: '0', ...more }),
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const ended = once(child, 'close').then(([code]) => code);
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => (text += more));
  return {
    child,
    ended,
    lines: () =>
      text
        .trimEnd()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
};

test.each([
  ['a setting that is wrong', { RUSHES_INGEST_CPU_PERCENT: 'most' }, /^RUSHES_INGEST_CPU_PERCENT /, 78],
  ['a tool that is missing', { FFMPEG_PATH: '/no/such/folder' }, /^FFMPEG_PATH is .* not there/, 69],
  // Its share may be mounted in a moment: the server goes on, and starts it again.
  ['a watched folder that is not there yet', { RUSHES_WATCH: '/no/such/folder' }, /^RUSHES_WATCH: there is no folder/, 1],
])('a worker that cannot start for %s says why in one line of JSON, and by its code whether it is to be tried again', async (...row) => {
  const [, settings, event, code] = row;
  const worker = startWorker(settings);
  expect(await worker.ended).toBe(code);
  expect(worker.lines()).toEqual([{ time: expect.any(String), level: 'error', process: 'ingest', event: expect.stringMatching(event) }]);
});

test('a model file that was put in place by hand is here, also where the settings name it; one that is let go is gone from the disk, and one on its way, whose fetching ends', {
  timeout: 90_000,
}, async () => {
  const { pool, queue, folder } = archive.context;
  const hub = await openEndlessHub();
  // As an earlier start found it.
  await publishEngines(archive.context);
  await mkdir(folder.models, { recursive: true });
  await writeFile(join(folder.models, 'ggml-base.bin'), 'as it came');
  const worker = startWorker({ RUSHES_MODEL_HUB: hub.address, RUSHES_WHISPER_MODEL: join(folder.models, 'ggml-base.bin') });
  const stateOf = async (name: string) => (await listModels(pool)).find((model) => model.name === name)?.state;
  await until(async () => (await stateOf('base')) === 'here');
  await letModelGo({ pool, queue }, 'base');
  await until(() => !existsSync(join(folder.models, 'ggml-base.bin')));

  await askForModel({ pool, queue }, 'base.en');
  await until(() => existsSync(join(folder.models, 'ggml-base.en.bin.part')));
  await until(async () => (await stateOf('base.en')) === 'fetching' && hub.open.size === 1);
  await letModelGo({ pool, queue }, 'base.en');
  await until(() => hub.open.size === 0, { withinMs: 20_000 });
  await until(() => readdirSync(folder.models).length === 0, { withinMs: 20_000 });
  expect([await stateOf('base'), await stateOf('base.en')]).toEqual(['absent', 'absent']);
  worker.child.kill('SIGTERM');
  await worker.ended;
});

test('a worker that only makes films playable leaves what others told of their engines, and says what it does', {
  timeout: 60_000,
}, async () => {
  const { pool, queue } = archive.context;
  const ofOther = { name: 'Hearer', version: '1', step: 'speech', licence: 'MIT', source: 'example', goodAt: 'all', models: [], off: null };
  await registerEngines(pool, [ofOther satisfies KnownEngine]);
  const worker = startWorker({ RUSHES_INGEST: 'playable' });
  // It takes this one after it has said whatever it says of engines.
  await queue.enqueue(hidingQueue, {});
  await until(async () => !(await queue.hasWork([hidingQueue])), { withinMs: 50_000 });
  const told = (await listProcesses(pool)).find(({ pid }) => pid === worker.child.pid);
  worker.child.kill('SIGTERM');
  await worker.ended;
  expect(await findEngines(pool)).toEqual([ofOther]);
  expect(told?.classes).toEqual(['playable']);
});

/** A server of models that never comes to an end with one, and whom it is sending to. */
async function openEndlessHub() {
  const open = new Set<ServerResponse>();
  const server = createServer((_request, response) => {
    open.add(response.writeHead(200));
    const sending = setInterval(() => response.write(Buffer.alloc(1_000)), 50);
    response.on('close', () => {
      clearInterval(sending);
      open.delete(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open };
}

test('every line of a worker is JSON that names film and step, and holds nothing of what stands in a file', {
  timeout: 60_000,
}, async () => {
  const path = join(archive.scratch, 'not-a-film.mp4');
  await writeFile(path, 'the confession of the lighthouse keeper '.repeat(2_000));
  // The worker of this process takes no more.
  await archive.context.queue.stop();
  const queue = await openJobQueue(archive.database.pool, { onError: () => {} });
  const { videoId } = await importFile({ ...archive.context, queue }, path);
  const worker = startWorker({ RUSHES_LOG: 'info' });
  await until(() => worker.lines().some(({ event }) => /refused/.test(String(event))), { withinMs: 50_000 });
  worker.child.kill('SIGTERM');
  await worker.ended;
  await queue.stop();
  const lines = worker.lines();
  for (const line of lines)
    expect(line).toMatchObject({ time: expect.stringMatching(/^20.*Z$/), level: expect.any(String), process: expect.any(String) });
  expect(lines).toContainEqual(expect.objectContaining({ level: 'info', event: expect.stringContaining('kept from: ') }));
  expect(lines).toContainEqual(
    expect.objectContaining({ process: 'ingest', video: videoId, step: 'probe', event: expect.stringContaining('failed: ') }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({ video: videoId, event: expect.stringContaining('its file lies in the trash as') }),
  );
  expect(JSON.stringify(lines)).not.toContain('confession');
});

test.skipIf(!canMakeMedia)(
  'a worker that is told to stop gives back what it has in hand, with all its tries, also while it sweeps',
  {
    timeout: 90_000,
  },
  async () => {
    const own = await openTestIngest(undefined, { steps: [] });
    // The worker of this process takes none.
    await own.context.queue.stop();
    const path = join(own.scratch, 'long.mkv');
    await makeClip(path, ['-vf', 'scale=640:360,loop=loop=-1:size=75:start=0', '-t', '60', '-c:a', 'libopus']);
    const queue = await openJobQueue(own.database.pool, { onError: () => {} });
    await importFile({ ...own.context, queue }, path);
    await queue.stop();
    const holder = await own.database.pool.connect();
    // The sweep looks at these, and stands there.
    await holder.query('begin; lock table uploads in access exclusive mode');
    const worker = startWorker({ DATABASE_URL: own.database.url, RUSHES_DATA: own.context.folder.root, RUSHES_INGEST: 'playable' });
    const rowsOf = async (text: string) => (await own.database.pool.query(text)).rows;
    await until(async () => (await rowsOf(`select from ingest_steps where step = 'renditions' and state = 'running'`)).length > 0, {
      withinMs: 50_000,
    });
    await until(async () => (await rowsOf(`select from pg_locks where relation = 'uploads'::regclass and not granted`)).length > 0);
    worker.child.kill('SIGTERM');
    await until(() => worker.child.exitCode !== null, { withinMs: 10_000 });
    const waiting = await rowsOf(`select retry_count from jobs.job where data ? 'videoId' and state in ('created', 'retry', 'active')`);
    expect([worker.child.exitCode, waiting]).toEqual([0, [{ retry_count: 0 }]]);
    expect(worker.lines().filter(({ event }) => /sweep/.test(String(event)))).toEqual([]);
    await holder.query('rollback');
    holder.release();
    await own.close();
  },
);
