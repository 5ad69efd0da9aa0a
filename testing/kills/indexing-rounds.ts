import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool, type Pool } from '#domain/db/database.ts';
import { openDatabase } from '#domain/db/open-database.ts';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { noteIndexDamage, readIndexState } from '#domain/files/index-state.ts';
import { indexIsBehind } from '#domain/search-index/find-videos-to-index.ts';
import { findIndexedBatch } from '#domain/search-index/index-commit.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { type SeededRandom, seededRandom } from '../seeded-random.ts';
import { type ServedArchive, serveArchive } from '../served-archive.ts';
import { until } from '../until.ts';
import { type Ledger, settleUnsure } from './indexing-ledger.ts';
import { watchIndexFolder } from './indexing-moments.ts';
import { judge, type Verdict } from './indexing-verdict.ts';
import { type KillWriter, openKillWriter } from './indexing-writer.ts';
import { killOf, lives, type Victim, victims } from './victims.ts';

export interface KillFigures {
  readonly rounds: number;
  readonly lost: number;
  readonly twice: number;
  readonly disagreements: number;
  /** How often each step of indexing was met, by victim and the file that changed last. */
  readonly steps: ReadonlyMap<string, number>;
}

/** What the index is about when the kill comes. */
type Scene = 'batch' | 'merge' | 'rest' | 'rebuild';

const scenes: readonly Scene[] = ['batch', 'merge', 'batch', 'rebuild', 'batch', 'batch', 'rest', 'batch', 'merge', 'batch'];
/** How many files change in one go of each, at least. */
const changesOf: Record<Scene, number> = { batch: 70, merge: 60, rest: 40, rebuild: 40 };
const momentWithinMs = 8_000;
const settlesWithinMs = 300_000;

/**
 * Lets a real archive with its own PostgreSQL be written to, kills one of its processes at a step of indexing, starts it
 * again, and asks after everything that it has acknowledged; `rounds` times, the same for the same seed as far as clocks allow.
 */
export async function runKillRounds(options: { rounds: number; seed: number; print: (line: string) => void }): Promise<KillFigures> {
  const chance = seededRandom(options.seed);
  const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-kills-'));
  const stage = await openStage(dataFolder, chance);
  const steps = new Map<string, number>();
  const sums = { lost: 0, twice: 0, disagreements: 0 };
  try {
    for (let round = 1; round <= options.rounds; round++) {
      stage.ledger.round = round;
      const scene = scenes[(round - 1) % scenes.length] ?? 'batch';
      const victim = victims[(round - 1 + Math.floor((round - 1) / scenes.length)) % victims.length] ?? 'index';
      const step = await killDuring(stage, { scene, victim, nth: 1 + chance.below(changesOf[scene]) });
      steps.set(step, (steps.get(step) ?? 0) + 1);
      const verdict = await verdictOf(stage);
      for (const name of ['lost', 'twice', 'disagreements'] as const) sums[name] += verdict[name].length;
      const faults = [...verdict.lost, ...verdict.twice, ...verdict.disagreements].join('; ');
      options.print(`round ${round}, ${scene}, kill ${victim} at ${step}: ${faults || 'agrees'}`);
    }
  } finally {
    await stage.pool.end();
    await stage.served.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
  return { rounds: options.rounds, ...sums, steps };
}

interface Stage {
  readonly dataFolder: string;
  readonly indexFolder: string;
  readonly pool: Pool;
  readonly ledger: Ledger;
  readonly writer: KillWriter;
  served: ServedArchive;
}

async function openStage(dataFolder: string, chance: SeededRandom): Promise<Stage> {
  const served = await serveArchive(dataFolder);
  const { pool: first, address } = await openDatabase({ dataFolder });
  await first.end();
  const pool = openPool(address);
  const ledger: Ledger = { films: new Map(), round: 0 };
  const indexFolder = archiveFolderIn(dataFolder).index;
  mkdirSync(indexFolder, { recursive: true });
  return { dataFolder, indexFolder, pool, ledger, writer: openKillWriter(pool, ledger, chance), served };
}

/** Kills the victim at the nth change of the index's files in such a scene; what that was comes back. */
async function killDuring(stage: Stage, { scene, victim, nth }: { scene: Scene; victim: Victim; nth: number }): Promise<string> {
  const { dataFolder, indexFolder, writer } = stage;
  const over = new AbortController();
  if (scene === 'merge') await writer.writeLong();
  if (scene === 'rest') await settled(stage);
  await until(() => lives('index', dataFolder) || scene === 'batch', { withinMs: momentWithinMs }).catch(() => {});
  const moment = watchIndexFolder(indexFolder, { nth, withinMs: momentWithinMs });
  const writing = scene === 'rest' ? Promise.resolve() : writer.write(over.signal);
  if (scene === 'rebuild') await noteIndexDamage(indexFolder);
  const { step } = await moment.reached;
  await killOf(victim, dataFolder);
  // The world does not stop for the archive.
  if (victim === 'server') {
    over.abort();
    await writing;
    await stage.served.stop();
    stage.served = await serveArchive(dataFolder);
  }
  over.abort();
  await writing;
  return `${scene}: ${step}`;
}

async function verdictOf(stage: Stage): Promise<Verdict> {
  await until(() => answers(stage.pool), { withinMs: settlesWithinMs });
  await settleUnsure(stage.pool, stage.ledger);
  await settled(stage);
  return await judge(stage.served, stage.pool, stage.ledger);
}

async function answers(pool: Pool): Promise<boolean> {
  return await pool.query('select 1').then(
    () => true,
    () => false,
  );
}

/** Waits until the index has taken in everything, and readers know of it. */
async function settled({ pool, indexFolder }: Stage): Promise<void> {
  let seen = '';
  const isSettled = async () => {
    try {
      const [isBehind, read, counting] = [await indexIsBehind(pool), await readIndexState(indexFolder), await findIndexedBatch(pool)];
      seen = `behind: ${isBehind}, batch ${counting}, searches read ${read?.batch}`;
      return !isBehind && read?.batch === counting;
    } catch (error) {
      // The database is on its way up.
      seen = errorMessageOf(error);
      return false;
    }
  };
  await until(isSettled, { withinMs: settlesWithinMs, everyMs: 50, otherwise: () => `The index does not catch up; ${seen}` });
}
