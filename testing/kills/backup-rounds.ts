import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openLocalStore } from '#domain/files/local-store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { addFilm } from '../add-film.ts';
import { ownEnvironment } from '../own-environment.ts';
import { runCommand } from '../run-command.ts';
import { seededRandom } from '../seeded-random.ts';
import { countRounds, type KillFigures } from './kill-figures.ts';
import type { KillableArchive } from './killable-archive.ts';

const segmentBytes = 2_000_000;
const segments = 6;

/**
 * Adds a film each round, kills the backup command somewhere between its start and its end, gives it again, and reads everything back that
 * the folder then holds.
 */
export async function runBackupKills(
  archive: KillableArchive,
  options: { rounds: number; seed: number; folder: string; print: (line: string) => void },
): Promise<KillFigures> {
  const { folder } = options;
  const chance = seededRandom(options.seed);
  const settings = { RUSHES_DATA: archive.dataFolder };
  const store = openLocalStore(archive.dataFolder);
  const backUp = (...more: string[]) => runCommand('commands/backup.ts', [folder, ...more], settings);
  let wholeMs = await timed(() => backUp());
  return await countRounds(options.rounds, options.print, async () => {
    const id = await addFilm({ pool: archive.pool, store });
    for (let n = 0; n < segments; n++) await store.put(`${toVideoKeys(id).hls}/v1/more-${n}.m4s`, randomBytes(segmentBytes));
    const before = snapshotsIn(folder).length;
    const afterMs = chance.below(Math.ceil(wholeMs));
    await killedAfter(afterMs, [resolve(import.meta.dirname, '..', '..', 'commands', 'backup.ts'), folder], settings);
    const between = snapshotsIn(folder).length;
    let again = { exitCode: null as number | null, output: '' };
    wholeMs = await timed(async () => (again = await backUp()));
    const check = await backUp('--check');
    const faults = Number(/"faults":(\d+)/.exec(check.output)?.[1] ?? Number.NaN);
    const disagreements = [
      ...(again.exitCode === 0 ? [] : [`the next backup ended with ${again.exitCode}: ${again.output}`]),
      ...(check.exitCode === 0 ? [] : [`the check ended with ${check.exitCode}: ${check.output}`]),
      ...(snapshotsIn(folder).length === between + 1 ? [] : ['the next backup made no snapshot']),
    ];
    const lost = faults === 0 ? [] : [`${faults} of the things that were kept cannot be read back`];
    return {
      about: `kill the backup after ${afterMs} ms${between > before ? ', past its end' : ''}`,
      verdict: { lost, twice: [], disagreements },
    };
  });
}

async function killedAfter(ms: number, [file = '', ...args]: string[], settings: Record<string, string>): Promise<void> {
  const command = spawn(process.execPath, [file, ...args], { env: ownEnvironment(settings), stdio: 'ignore' });
  const gone = once(command, 'exit');
  await wait(ms);
  command.kill('SIGKILL');
  await gone;
}

function snapshotsIn(folder: string): string[] {
  return readdirSync(join(folder, 'snapshots'));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
