import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { ownEnvironment } from './own-environment.ts';

const root = resolve(import.meta.dirname, '..');

/** `npm start` as a person types it, with these settings and none of the caller's. */
export function startByNpm(settings: Record<string, string>): ChildProcess {
  return spawn('npm', ['start'], { cwd: root, env: ownEnvironment(settings), stdio: 'ignore', detached: true });
}

/** A start that ends by itself: what it printed on standard error, and its exit code. */
export function startToEnd(settings: Record<string, string>): { status: number | null; stderr: string } {
  const options = { cwd: root, env: ownEnvironment(settings), encoding: 'utf8', timeout: 60_000 } as const;
  return spawnSync(process.execPath, ['commands/start.ts'], options);
}

/** Every living process that was started with this data folder, whatever has become of its parents. PostgreSQL is told no settings, and works in its folder. */
export function processesOf(dataFolder: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const isTold = readFileSync(`/proc/${name}/environ`, 'utf8').includes(`RUSHES_DATA=${dataFolder}`);
        if (!isTold && !readlinkSync(`/proc/${name}/cwd`).startsWith(`${dataFolder}/`)) return [];
        return [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
      } catch {
        // It ended while we looked.
        return [];
      }
    });
}
