import { errorMessage } from '#domain/db/error-message.ts';
import { ingestQueue } from '#domain/jobs/ingest-queue.ts';
import type { JobQueue } from '#domain/jobs/job-queue.ts';
import { encodeFilm } from '#domain/meaning/encode-film.ts';
import { findFilmsBehind } from '#domain/meaning/film-meaning.ts';
import { EncoderUnusable } from '#domain/meaning/meaning-process.ts';
import type { IngestContext } from './ingest-context.ts';

const lookEveryMs = 10_000;
const filmsAtOnce = 20;

export interface MeaningLoop {
  stop(): Promise<void>;
}

interface LoopOptions extends Pick<IngestContext, 'pool' | 'encoder'> {
  readonly queue: Pick<JobQueue, 'hasWork'>;
  readonly log: (line: string) => void;
}

/**
 * Keeps what is understood of meaning in step with what films say, for as long as the worker lives: catalogue records, which no step is
 * done with, films that were corrected, and films of before. Whatever makes a film playable goes first.
 */
export function startMeaningLoop({ pool, encoder, queue, log }: LoopOptions): MeaningLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const round = async () => {
    const films = await findFilmsBehind(pool, { ...encoder.choice, limit: filmsAtOnce });
    for (const id of films) {
      if (signal.aborted || (await queue.hasWork([ingestQueue, `${ingestQueue}-long`]))) return 0;
      await encodeFilm(pool, encoder, id);
    }
    return films.length;
  };
  const running = (async () => {
    while (!signal.aborted) {
      const done = await round().catch((error: unknown) => {
        if (!signal.aborted) log(`meaning: ${errorMessage(error)}`);
        // The next worker may be given another one.
        if (error instanceof EncoderUnusable) stopping.abort();
        return 0;
      });
      if (done === 0) await pause(lookEveryMs, signal);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Ends early when somebody says so. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
