import type { JobQueue } from '#domain/jobs/job-queue.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import type { Say } from '#domain/system/log.ts';
import { pause } from '#domain/system/pause.ts';
import { modelQueue, noteModel } from '#domain/videos/fetched-models.ts';
import { tellEngines } from '../engines.ts';
import type { IngestContext } from '../ingest-context.ts';
import {
  fetchLackingModels,
  fetchModel,
  isModelHere,
  removeModel,
  removeUnwantedModels,
  type WhisperModel,
  whisperModels,
} from './whisper-models.ts';

const tellEveryMs = 1_000;
const modelsEveryMs = 60_000;

/** A worker that hears films. */
interface Working {
  readonly context: IngestContext;
  readonly queue: JobQueue;
}

/** Fetches and removes models as administrators ask for it, one at a time, until the queue is stopped; nothing is fetched that nobody asked for. */
export async function workOnModels({ context, queue }: Working, log: Say): Promise<void> {
  await queue.work(modelQueue, async ({ model: name = '', remove }, signal) => {
    const model = whisperModels.find((one) => one.name === name);
    if (model && remove) await removeModel(context.folder.models, model);
    if (model && !remove) await fetchAndTell(context, model, { signal, log });
    await tellEngines({ context, queue });
    return signal.aborted ? { is: 'retry-later', inSeconds: 0 } : { is: 'finished' };
  });
}

/** Keeps this machine's models those that were fetched and not removed, on whichever machine that was. */
export async function followModels({ context, queue }: Working, { signal, log }: FetchingTold): Promise<void> {
  const tried = new Map<string, { times: number; againMs: number }>();
  while (!signal.aborted) {
    const follow = async () => {
      const gone = await removeUnwantedModels(context);
      const came = await fetchLackingModels(context, { signal, tried });
      if (gone + came > 0) await tellEngines({ context, queue });
    };
    await follow().catch((error: unknown) => log(`models: ${errorMessageOf(error)}`, { error }));
    await pause(modelsEveryMs, signal);
  }
}

interface FetchingTold {
  readonly signal: AbortSignal;
  readonly log: Say;
}

async function fetchAndTell(context: IngestContext, model: WhisperModel, { signal, log }: FetchingTold): Promise<void> {
  const { pool, folder, speech, reserveBytes } = context;
  const { name } = model;
  if (await isModelHere(folder.models, model)) return void (await noteModel(pool, name, { state: 'here', fetchedBytes: model.bytes }));
  const unwanted = new AbortController();
  let fetchedBytes = 0;
  const tell = async () => {
    if (!(await noteModel(pool, name, { state: 'fetching', fetchedBytes }))) unwanted.abort();
  };
  await tell();
  const telling = setInterval(() => void tell().catch(() => {}), tellEveryMs);
  const onBytes = (bytes: number) => {
    fetchedBytes = bytes;
  };
  try {
    const either = AbortSignal.any([signal, unwanted.signal]);
    await fetchModel({ model, hub: speech.modelHub, folder: folder.models, reserveBytes, signal: either, onBytes });
    await noteModel(pool, name, { state: 'here', fetchedBytes: model.bytes });
  } catch (error) {
    if (signal.aborted || unwanted.signal.aborted) return;
    log(`model ${name}: ${errorMessageOf(error)}`, { error });
    await noteModel(pool, name, { state: 'failed', message: errorMessageOf(error) });
  } finally {
    clearInterval(telling);
  }
}
