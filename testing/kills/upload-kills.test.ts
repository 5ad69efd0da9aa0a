import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request as ask } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FinishedUpload } from '#contract/steps.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import { sha256Of } from '#domain/files/sha256.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { addPerson } from '../add-person.ts';
import { endsOf, madeBytes } from '../made-bytes.ts';
import { putReport } from '../put-report.ts';
import { startArchive } from '../running-archive.ts';
import { seededRandom } from '../seeded-random.ts';
import { storedBytes } from '../stored-bytes.ts';
import { createTestDatabase } from '../test-database.ts';
import { until } from '../until.ts';
import { pieceOfUpload, tus } from '../upload-client.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';
import { writeTestPages } from '../write-test-pages.ts';
import { nothingWrong } from './kill-figures.ts';

const rounds = wantsWholeCorpus ? 20 : 3;

test('kill -9 of the server in the middle of an upload costs nothing of what had come, and no byte of the film', {
  timeout: 600_000,
}, async ({ task }) => {
  const figures = { rounds, ...nothingWrong };
  const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-upload-kills-'));
  const database = await createTestDatabase();
  const pages = join(dataFolder, 'pages');
  writeTestPages(pages);
  const start = () => startArchive({ dataFolder, databaseUrl: database.url, env: { RUSHES_ROLES: 'web', RUSHES_PAGES: pages } });
  let archive = await start();
  try {
    const editor = await addPerson({ pool: database.pool, secrets: loadSecrets(dataFolder) }, { editor: true });
    const headersOf = (more: Record<string, string> = {}) => ({ ...tus, cookie: editor.cookie, origin: archive.origin, ...more });
    const bytes = madeBytes(6_000_000, 'killed');
    const begin = async (file: Buffer, said: Record<string, string>) => {
      const metadata = Object.entries({ ...said, ends: endsOf(file) }).map(([key, value]) => `${key} ${btoa(value)}`);
      const begun = await fetch(`${archive.origin}/api/uploads`, {
        method: 'POST',
        headers: headersOf({ 'upload-length': String(file.length), 'upload-metadata': metadata.join(',') }),
      });
      return begun.headers.get('location') ?? '';
    };
    const sendRest = async (to: string, file: Buffer, from: number) => {
      const headers = headersOf({ ...pieceOfUpload, 'upload-offset': String(from) });
      return (await fetch(`${archive.origin}${to}`, { method: 'PATCH', headers, body: file.subarray(from) })).status;
    };
    const upload = await begin(bytes, { filename: 'killed.mp4' });
    const lies = join(dataFolder, 'uploads', upload.split('/').at(-1) ?? '');
    const random = seededRandom(20_261_124);
    let offset = 0;
    for (let round = 0; round < rounds; round++) {
      const killAt = offset + random.below(Math.floor(bytes.length / rounds / 2)) + 1;
      const headers = headersOf({ ...pieceOfUpload, 'upload-offset': String(offset), 'content-length': String(bytes.length - offset) });
      const sending = ask(`${archive.origin}${upload}`, { method: 'PATCH', headers }).on('error', () => {});
      sending.write(bytes.subarray(offset, killAt));
      await until(() => readFileSync(lies).length > offset);
      process.kill(archive.pid, 'SIGKILL');
      await archive.stop();
      archive = await start();
      const told = await fetch(`${archive.origin}${upload}`, { method: 'HEAD', headers: headersOf() });
      const came = Number(told.headers.get('upload-offset'));
      if (!(came > offset)) figures.lost += 1;
      if (!readFileSync(lies).equals(bytes.subarray(0, came))) figures.halfVisible += 1;
      offset = came;
    }
    expect(await sendRest(upload, bytes, offset)).toBe(204);
    const finished = await fetch(`${archive.origin}${upload}/finish`, {
      method: 'POST',
      headers: headersOf({ 'content-type': 'application/json' }),
      body: JSON.stringify({ sha256: sha256Of(bytes), sidecars: [] }),
    });
    const { state, videoId } = FinishedUpload.parse(await finished.json());
    expect(state).toBe('added');
    // As a call leaves it that is cut off before it has done anything: another file was to take the place of this one.
    const next = madeBytes(60_000, 'in its place');
    const replacing = await begin(next, { filename: 'next.mp4', replaces: videoId ?? '' });
    expect(await sendRest(replacing, next, 0)).toBe(204);
    await database.pool.query('update uploads set finishing = $1 where id = $2', [
      JSON.stringify({ sha256: sha256Of(next), sidecars: [], from: '127.0.0.1' }),
      replacing.split('/').at(-1),
    ]);
    // What was acknowledged outlives the next one.
    process.kill(archive.pid, 'SIGKILL');
    await archive.stop();
    if (sha256Of(await storedBytes(openLocalStore(dataFolder), toVideoKeys(videoId ?? '').original)) !== sha256Of(bytes)) figures.lost += 1;
    const { rows } = await database.pool.query('select state, content_hash as hash from videos');
    figures.twice += rows.length - 1;
    archive = await start();
    const hashNow = async () => (await database.pool.query('select content_hash as hash from videos')).rows[0]?.hash;
    await until(async () => (await hashNow()) === sha256Of(next));
    const original = await storedBytes(openLocalStore(dataFolder), toVideoKeys(videoId ?? '').original);
    if (sha256Of(original) !== sha256Of(next)) figures.lost += 1;
    figures.orphans += readdirSync(join(dataFolder, 'uploads')).length;
    putReport(task, { check: 'kills', scene: 'uploads', ...figures });
    expect(figures).toEqual({ rounds, ...nothingWrong });
    expect(rows).toEqual([{ state: 'Uploaded', hash: sha256Of(bytes) }]);
  } finally {
    await archive.stop();
    await database.drop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
