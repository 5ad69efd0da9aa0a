import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { ownEnvironment } from './own-environment.ts';

/** Runs the command that asks an archive's pins, to its end, with `settings` in its environment. */
export function runRelevance(
  args: readonly string[],
  settings: Record<string, string>,
): { status: number | null; stdout: string; stderr: string } {
  const options = { env: ownEnvironment(settings), encoding: 'utf8', timeout: 60_000 } as const;
  return spawnSync(process.execPath, [resolve(import.meta.dirname, '../commands/relevance.ts'), ...args], options);
}
