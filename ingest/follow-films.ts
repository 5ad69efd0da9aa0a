import type { DatabaseAddress, Pool } from '#domain/db/database.ts';
import { type Listener, listen } from '#domain/db/listen.ts';
import type { ArchiveFolder } from '#domain/files/archive-folder.ts';
import { isIndexDamageNoted, readIndexState } from '#domain/files/index-state.ts';
import type { S3Settings } from '#domain/files/s3/s3-settings.ts';
import { ingestQueue } from '#domain/jobs/ingest-queue.ts';
import type { JobQueue } from '#domain/jobs/job-queue.ts';
import { encodeFilm } from '#domain/meaning/encode-film.ts';
import { findFilmsBehind } from '#domain/meaning/film-meaning.ts';
import { EncoderUnusable } from '#domain/meaning/meaning-process.ts';
import { indexIsBehind } from '#domain/search-index/find-videos-to-index.ts';
import { findIndexState, isIndexLost } from '#domain/search-index/index-commit.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import type { Say } from '#domain/system/log.ts';
import { pause } from '#domain/system/pause.ts';
import { findForgetting } from '#domain/videos/people/index-forgets.ts';
import type { IngestContext } from './ingest-context.ts';
import type { StepClass } from './step.ts';
import { spareTime } from './tools/give-way.ts';
import { type IndexChild, startIndexChild } from './tools/index-child-process.ts';

const lookEveryMs = 2_000;
/** A child that was killed is followed at once; one that fails again and again, as on a full disk, is not to keep the machine busy. */
const firstPauseMs = 500;
const longestPauseMs = 10_000;

export interface IndexLoop {
  stop(): Promise<void>;
}

export interface IndexLoopOptions {
  readonly pool: Pool;
  readonly address: DatabaseAddress;
  readonly folder: ArchiveFolder;
  readonly s3?: S3Settings | undefined;
  readonly lingerMs?: number | undefined;
  readonly log: Say;
}

/**
 * Keeps the search index in step with the database for as long as the worker lives: at once when a video is published,
 * and every few seconds in any case. A first look at the start finds a missing or damaged index.
 */
export function startIndexLoop(options: IndexLoopOptions): IndexLoop {
  const { log, address, folder, s3, lingerMs } = options;
  let stopped = false;
  let child: IndexChild | undefined;
  let news: Listener | undefined;

  const running = (async () => {
    let due = true;
    let pauseMs = firstPauseMs;
    while (!stopped) {
      try {
        news ??= await listen(address, 'videos_to_index');
        const needed = due || (await needsIndexing(options));
        if (stopped) break;
        if (needed) {
          child = startIndexChild({ address, dataFolder: folder.root, s3, lingerMs }, log);
          due = !(await child.ended);
          child = undefined;
          if (due && !stopped) await news.next(pauseMs);
          pauseMs = due ? Math.min(pauseMs * 2, longestPauseMs) : firstPauseMs;
        } else await news.next(lookEveryMs);
      } catch (error) {
        // The database is away for a moment.
        if (!stopped) log(`index: ${errorMessageOf(error)}`, { error });
        news?.close();
        news = undefined;
        await new Promise((resolve) => setTimeout(resolve, stopped ? 0 : lookEveryMs));
      }
    }
    // It may have been opened while `stop` looked: left open it would keep the process alive.
    news?.close();
  })();

  return {
    stop: async () => {
      stopped = true;
      child?.stop();
      news?.close();
      news?.wake();
      await running;
    },
  };
}

async function needsIndexing({ pool, folder }: IndexLoopOptions): Promise<boolean> {
  if ((await indexIsBehind(pool)) || (await findForgetting(pool)) || (await isIndexDamageNoted(folder.index))) return true;
  if (await isIndexLost(pool, await findIndexState(pool))) return true;
  return (await readIndexState(folder.index)) === null;
}

const meaningEveryMs = 10_000;
const filmsAtOnce = 20;

interface MeaningLoop {
  stop(): Promise<void>;
}

interface MeaningLoopOptions extends Pick<IngestContext, 'pool' | 'encoder'> {
  readonly queue: Pick<JobQueue, 'hasWork'>;
  readonly log: Say;
  /** What this machine does with films: what makes none playable waits for none that is to be. */
  readonly classes: readonly StepClass[];
  /** Waits until this machine has time for a film. */
  readonly spare?: (signal: AbortSignal) => Promise<void>;
}

/**
 * Keeps what is understood of meaning in step with what films say, for as long as the worker lives: catalogue records, which no step is
 * done with, films that were corrected, and films that are older than it. Whatever makes a film playable goes first,
 * and searches do.
 */
export function startMeaningLoop({ pool, encoder, queue, log, classes, spare = spareTime() }: MeaningLoopOptions): MeaningLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const givesWay = classes.includes('playable');
  const round = async () => {
    const films = await findFilmsBehind(pool, { ...encoder.choice, limit: filmsAtOnce });
    for (const id of films) {
      await spare(signal);
      if (signal.aborted || (givesWay && (await queue.hasWork([ingestQueue])))) return 0;
      await encodeFilm(pool, encoder, id);
    }
    return films.length;
  };
  const running = (async () => {
    while (!signal.aborted) {
      const done = await round().catch((error: unknown) => {
        if (!signal.aborted) log(`meaning: ${errorMessageOf(error)}`, { error });
        // The next worker may be given another one.
        if (error instanceof EncoderUnusable) stopping.abort();
        return 0;
      });
      if (done === 0) await pause(meaningEveryMs, signal);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
