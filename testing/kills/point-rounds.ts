import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, type TestContext } from 'vitest';
import { z } from 'zod';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { addPerson } from '../add-person.ts';
import { ownEnvironment } from '../own-environment.ts';
import { putReport } from '../put-report.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';
import { countRounds, nothingWrong, type Verdict } from './kill-figures.ts';

/** In a quick run so many of a scene's points, evenly. */
const sampled = 3;

/** An archive in which processes end between two durable actions, and an editor by whom they act. */
export interface PointArchive {
  readonly database: TestDatabase;
  readonly dataFolder: string;
  readonly actorUid: string;
  close(): Promise<void>;
}

export async function openPointArchive(): Promise<PointArchive> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-points-'));
  const database = await createTestDatabase();
  const { uid } = await addPerson({ pool: database.pool, secrets: loadSecrets(dataFolder) }, { editor: true });
  return {
    database,
    dataFolder,
    actorUid: uid,
    close: async () => {
      await database.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

export interface Scene {
  readonly orders: object;
  /** What is wrong as soon as the process is gone. */
  readonly judgeAtOnce: () => Promise<Verdict>;
  /** What is wrong once the next start is through, and whoever heard no answer has made the call again. */
  readonly judgeInTheEnd: () => Promise<Verdict>;
}

interface ScenePoints {
  readonly name: string;
  readonly begin: () => Promise<Scene>;
  /** Actions without which it would be another scene. */
  readonly amongThem: readonly string[];
  readonly task: TestContext['task'];
}

/** Expects of each point of a scene that a process that ends there leaves nothing wrong. */
export async function expectWholeOrNothing(archive: PointArchive, { name, begin, amongThem, task }: ScenePoints): Promise<void> {
  // The first one makes folders and queues that are there from then on.
  await runUntilDeath(archive, (await begin()).orders, 0);
  const names = z.array(z.string()).parse(JSON.parse(await runUntilDeath(archive, (await begin()).orders, 0)));
  expect(names).toEqual(expect.arrayContaining([...amongThem]));
  const each = wantsWholeCorpus ? 1 : Math.ceil(names.length / sampled);
  console.info(`${name}: ${names.join(' · ')}`);
  const points = names.map((_, n) => n + 1).filter((n) => n % each === 0 || n === names.length);
  expect(points.length).toBeGreaterThan(2);
  const figures = await countRounds(
    points.length,
    (line) => console.info(`${name}: ${line}`),
    async (round) => {
      const dieAt = points[round - 1] ?? 1;
      const scene = await begin();
      const printed = await runUntilDeath(archive, scene.orders, dieAt);
      const survived = printed === '' ? [] : ['the process outlived it'];
      const [atOnce, inTheEnd] = [await scene.judgeAtOnce(), await scene.judgeInTheEnd()];
      return { about: `kill before ${names[dieAt - 1]}`, verdict: { ...together(atOnce, inTheEnd), disagreements: survived } };
    },
  );
  putReport(task, { check: 'kills', scene: `points of ${name}`, ...figures });
  expect(figures).toEqual({ rounds: points.length, ...nothingWrong });
}

function together(one: Verdict, other: Verdict): Verdict {
  const both = (fault: keyof Verdict) => [...(one[fault] ?? []), ...(other[fault] ?? [])];
  return { lost: both('lost'), halfVisible: both('halfVisible'), twice: both('twice'), orphans: both('orphans') };
}

/** What it printed: nothing where it died. */
export async function runUntilDeath({ database, dataFolder, actorUid }: PointArchive, orders: object, dieAt: number): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'die-at-point.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: ownEnvironment({}),
  });
  child.stdin.end(JSON.stringify({ databaseUrl: database.url, dataFolder, dieAt, actorUid, ...orders }));
  const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect([code, signal]).toEqual(dieAt === 0 ? [0, null] : [null, 'SIGKILL']);
  return printed;
}
