import type { Pool } from '#domain/db/database.ts';
import { isRunning } from '#domain/videos/record-step.ts';

interface CancellingWatch {
  readonly signal: AbortSignal;
  stop(): void;
}

const lookEveryMs = 1_000;

/** Raises `signal` when somebody cancels a running step. A database that is away for a moment cancels nothing. */
export function watchCancelling(pool: Pool, { videoId, step }: { videoId: string; step: string }): CancellingWatch {
  const cancelled = new AbortController();
  const look = async () => {
    if (!(await isRunning(pool, videoId, step))) cancelled.abort();
  };
  const timer = setInterval(() => void look().catch(() => {}), lookEveryMs);
  return { signal: cancelled.signal, stop: () => clearInterval(timer) };
}
