import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverLimits } from '#contract/limits.ts';
import type { DatabaseAddress } from '#domain/db/database.ts';
import type { S3Settings } from '#domain/files/s3/s3-settings.ts';
import type { Say } from '#domain/system/log.ts';
import { environmentWith } from '../config.ts';

/** What a child needs to work on the index of an archive. */
export interface IndexOrders {
  readonly address: DatabaseAddress;
  readonly dataFolder: string;
  readonly s3?: S3Settings | undefined;
  /** How long it stays after the last video, where that is not the usual time. */
  readonly lingerMs?: number | undefined;
}

export interface IndexChild {
  /** Ends when the child has; false when it failed. */
  readonly ended: Promise<boolean>;
  stop(): void;
  /** Ends it as a crash would. */
  kill(): void;
}

const childFile = join(import.meta.dirname, '..', '..', 'commands', 'index-child.ts');

/**
 * Brings the index up to date in a process of its own that ends when it is done: indexing takes memory that the worker
 * should not keep. The child ends with this process, also when this one is killed: it reads its orders from a pipe.
 */
export function startIndexChild(orders: IndexOrders, log: Say): IndexChild {
  const scratch = mkdtempSync(join(tmpdir(), 'rushes-index-'));
  const env = environmentWith({
    // A server gives memory back at once; this one ends when it is done, and would only ask for it again and again.
    MALLOC_TRIM_THRESHOLD_: undefined,
    // LanceDB makes a folder for itself, and leaves it behind when its process is ended.
    TMPDIR: scratch,
  });
  const child = spawn(process.execPath, [childFile], { stdio: ['pipe', 'ignore', 'pipe'], env });
  // The orders may hold a password, so they are no argument that others could read. The pipe stays open as a sign of life.
  child.stdin.on('error', () => {});
  child.stdin.write(`${JSON.stringify(orders)}\n`);
  let lastWords = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-serverLimits.lastWordsMaxCharacters);
  });
  const ended = new Promise<boolean>((resolve) => {
    child.on('error', (error) => {
      log(`index: ${error.message}`, { level: 'error', process: 'index', error });
      resolve(false);
    });
    child.on('close', async (code, signal) => {
      // What cannot be removed is small, and the system's to remove.
      await rm(scratch, { recursive: true, force: true }).catch(() => {});
      if (code !== 0 && signal !== 'SIGTERM')
        log(`index: ended with ${code ?? signal}: ${lastWords.trim()}`, { level: 'error', process: 'index' });
      resolve(code === 0);
    });
  });
  return { ended, stop: () => void child.kill('SIGTERM'), kill: () => void child.kill('SIGKILL') };
}
