import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { serverLimits } from '#contract/limits.ts';
import type { Pool } from '#domain/db/database.ts';
import { largerRenditionsStep } from '#domain/videos/record-step.ts';
import { ownEnvironment } from '../own-environment.ts';
import { seededRandom } from '../seeded-random.ts';
import { until } from '../until.ts';
import { judgeFilm } from './film-verdict.ts';
import { countRounds, type KillFigures } from './kill-figures.ts';
import type { KillableArchive } from './killable-archive.ts';
import { killOf, type Victim } from './victims.ts';

export const filmScenes = ['import', 'probe', 'stills', 'renditions', 'publish', largerRenditionsStep] as const;
export type FilmScene = (typeof filmScenes)[number];

const victims: readonly Victim[] = ['worker', 'database', 'tool', 'server'];
const settlesWithinMs = 180_000;
/** How long after a step has begun the kill comes at most: about as long as the step takes. */
const longestMs: Readonly<Record<FilmScene, number>> = {
  import: 2_500,
  probe: 400,
  stills: 900,
  renditions: 900,
  publish: 15,
  [largerRenditionsStep]: 2_000,
};

/**
 * Imports a film of its own each round with the command that operators use, kills a process while the film is at this step, imports it
 * again where the command was killed, and looks at everything that the archive then holds of it.
 */
export async function runFilmKills(
  archive: KillableArchive,
  scene: FilmScene,
  options: { rounds: number; seed: number; clip: string; print: (line: string) => void },
): Promise<KillFigures> {
  const chance = seededRandom(options.seed);
  let roundsAtStep = 0;
  return await countRounds(options.rounds, options.print, async (round) => {
    const film = freshFilm(options.clip, `${scene}-${round}-${randomBytes(3).toString('hex')}.mp4`);
    const victim = victims[round % victims.length] ?? 'worker';
    const command = startImport(archive.dataFolder, film.path);
    command.stderr.resume();
    const gone = once(command, 'exit');
    const met = scene === 'import' ? 'import' : await untilStep(archive.pool, { step: scene, name: film.name });
    if (met === scene) roundsAtStep += 1;
    await wait(chance.below(longestMs[scene]));
    if (scene === 'import') command.kill('SIGKILL');
    else await killIfThere(archive, victim);
    await gone;
    await archive.untilAnswering();
    // A film that plays already plays whatever is killed.
    const atOnce = scene === largerRenditionsStep ? ((await judgeFilm(archive, film)).halfVisible ?? []) : [];
    // Whoever sees that a command did not end well gives it again.
    const again = startImport(archive.dataFolder, film.path);
    const [said, [exitCode]] = await Promise.all([text(again.stderr), once(again, 'exit')]);
    const ended = `a second import ended with ${exitCode}: ${said}`;
    const otherwise = () => `${film.name} is not settled; ${ended}`;
    await until(() => isSettled(archive.pool, film.contentHash, scene), { withinMs: settlesWithinMs, everyMs: 50, otherwise });
    const verdict = await judgeFilm(archive, film);
    const disagreements = [
      ...(exitCode === 0 ? [] : [ended]),
      ...(await findUndone(archive.pool, film.contentHash, scene)),
      ...(round === options.rounds && roundsAtStep === 0 ? [`no round met ${scene}`] : []),
    ];
    return {
      about: `kill ${scene === 'import' ? 'the command' : victim} at ${met}`,
      verdict: { ...verdict, halfVisible: [...atOnce, ...(verdict.halfVisible ?? [])], disagreements },
    };
  });
}

export interface MadeFilm {
  readonly path: string;
  /** As the archive names it. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly contentHash: string;
}

/** A copy of the clip with content of its own, in a box that players skip. */
function freshFilm(clip: string, fileName: string): MadeFilm {
  const path = join(clip, '..', fileName);
  const box = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('free', 'latin1'), randomBytes(16)]);
  const bytes = Buffer.concat([readFileSync(clip), box]);
  writeFileSync(path, bytes);
  const stem = fileName.replace(/\.mp4$/, '').replaceAll('-', ' ');
  return { path, bytes, name: `${stem[0]?.toUpperCase()}${stem.slice(1)}`, contentHash: createHash('sha256').update(bytes).digest('hex') };
}

function startImport(dataFolder: string, path: string): ChildProcessByStdio<null, null, Readable> {
  const command = resolve(import.meta.dirname, '..', '..', 'commands', 'import.ts');
  return spawn(process.execPath, [command, path], {
    env: ownEnvironment({ RUSHES_DATA: dataFolder }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Waits until the film is at this step; says so, or that it was past it before anybody looked. */
async function untilStep(pool: Pool, { step, name }: { step: FilmScene; name: string }): Promise<string> {
  return await until(
    async () => {
      const { rows } = await pool.query<{ step: string | null; state: string }>(
        `select v.state, s.state as step from videos v left join ingest_steps s on s.video_id = v.id and s.step = $2 where v.name = $1`,
        [name, step],
      );
      const [row] = rows;
      if (row?.step === 'running') return step;
      return row?.state === 'Processed' && row.step !== 'waiting' && `the end, past ${step}`;
    },
    { everyMs: 2 },
  );
}

/** A step that just began may have no tool. */
async function killIfThere(archive: KillableArchive, victim: Victim): Promise<void> {
  if (victim === 'tool') await killOf('tool', archive.dataFolder);
  else await archive.kill(victim);
}

/** The step of a scene, where it was not done in the end. */
async function findUndone(pool: Pool, contentHash: string, scene: FilmScene): Promise<string[]> {
  const { rows } = await pool.query<{ state: string }>(
    `select s.state from videos v join ingest_steps s on s.video_id = v.id where v.content_hash = $1 and s.step = $2 and s.state <> 'done'`,
    [contentHash, scene],
  );
  return rows.map(({ state }) => `${scene} is ${state}`);
}

async function isSettled(pool: Pool, contentHash: string, scene: FilmScene): Promise<boolean> {
  return await pool
    .query(
      `select 1 from videos v where content_hash = $1 and state in ('Processed', 'Failed') and (indexed_revision = revision or state = 'Failed')
         and not exists (select from ingest_steps s where s.video_id = v.id and s.step = $2
                            and (s.state in ('waiting', 'running') or s.state = 'failed' and s.attempts < $3))`,
      [contentHash, scene, serverLimits.triesPerJob],
    )
    .then(
      ({ rowCount }) => rowCount === 1,
      // The database is on its way up.
      () => false,
    );
}
