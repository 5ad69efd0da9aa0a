import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLocalStore } from '#domain/files/local-store.ts';
import { followIndex } from '#domain/search-index/index-follower.ts';
import { catchUpIndex } from '#domain/search-index/keep-index.ts';
import { rebuildIndex } from '#domain/search-index/rebuild-index.ts';
import { ownEnvironment } from '../own-environment.ts';
import { putReport } from '../put-report.ts';
import { seededRandom } from '../seeded-random.ts';
import { askedOfFilms, openSharedIndex } from '../shared-index.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';
import { watchIndexFolder } from './indexing-moments.ts';

const rounds = wantsWholeCorpus ? 100 : 6;
/** Files that change in one go, about. */
const changesOf = { batch: 50, rebuild: 60 };

test('kill -9 of a machine that copies the index leaves its searches as they were, and the copy comes whole afterwards', {
  timeout: rounds * 30_000,
}, async ({ task }) => {
  const chance = seededRandom(11);
  const shared = await openSharedIndex();
  const { pool, url } = shared.database;
  const storeFolder = mkdtempSync(join(tmpdir(), 'rushes-kills-'));
  const store = openLocalStore(storeFolder);
  const [writer, reader] = [shared.machineWith(store), shared.machineWith(store)];
  const figures = { rounds, killed: 0, worse: 0, different: 0 };
  try {
    mkdirSync(reader.copy.folder, { recursive: true });
    for (let round = 0; round < rounds; round++) {
      const before = await reader.answers(askedOfFilms);
      await shared.publish(1 + chance.below(20));
      await catchUpIndex(pool, writer.copy);
      const isRebuilt = round % 3 === 2;
      if (isRebuilt) await rebuildIndex(pool, writer.copy);
      const expected = await writer.answers(askedOfFilms);
      const nth = 1 + chance.below(changesOf[isRebuilt ? 'rebuild' : 'batch']);
      figures.killed += await copyAndKill({ databaseUrl: url, storeFolder, dataFolder: reader.dataFolder }, reader.copy.folder, nth);
      if (![before, expected].includes(await reader.answers(askedOfFilms))) figures.worse += 1;
      await followIndex(pool, reader.copy);
      if ((await reader.answers(askedOfFilms)) !== expected) figures.different += 1;
    }
  } finally {
    await shared.close();
    rmSync(storeFolder, { recursive: true, force: true });
  }
  putReport(task, { check: 'kills', scene: 'following', ...figures });
  expect(figures).toMatchObject({ worse: 0, different: 0 });
  expect(figures.killed).toBeGreaterThan(rounds / 3);
});

/** Starts a copy, and kills it at the nth change of a file in its folder; whether it was not done before. */
async function copyAndKill(orders: Record<string, string>, folder: string, nth: number): Promise<0 | 1> {
  const moment = watchIndexFolder(folder, { nth, withinMs: 20_000 });
  const child = spawn(process.execPath, [join(import.meta.dirname, 'follow-copy.ts')], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: ownEnvironment({}),
  });
  const ended = once(child, 'exit');
  child.stdin.end(JSON.stringify(orders));
  await Promise.race([moment.reached, ended]);
  child.kill('SIGKILL');
  const [, signal] = await ended;
  return signal === 'SIGKILL' ? 1 : 0;
}
