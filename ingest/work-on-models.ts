import { errorMessage } from '#domain/db/error-message.ts';
import type { JobQueue } from '#domain/jobs/job-queue.ts';
import { modelQueue, noteModel } from '#domain/videos/fetched-models.ts';
import { publishEngines } from './engines/engines.ts';
import type { IngestContext } from './ingest-context.ts';
import { fetchModel } from './speech/fetch-model.ts';
import { whisperModels } from './speech/whisper-models.ts';

const tellEveryMs = 1_000;

/** Fetches models that an administrator asked for, one at a time, until the queue is stopped; nothing is fetched that nobody asked for. */
export async function workOnModels(context: IngestContext, queue: JobQueue, log: (line: string) => void): Promise<void> {
  await publishEngines(context);
  await queue.work(modelQueue, async ({ model: name = '' }, signal) => {
    try {
      await fetchAndTell(context, name, signal);
    } catch (error) {
      if (signal.aborted) return { is: 'retry-later', inSeconds: 0 };
      log(`model ${name}: ${errorMessage(error)}`);
      await noteModel(context.pool, name, { state: 'failed', message: errorMessage(error) });
    }
    return { is: 'finished' };
  });
}

async function fetchAndTell(context: IngestContext, name: string, signal: AbortSignal): Promise<void> {
  const { pool, folder, speech, reserveBytes } = context;
  const model = whisperModels.find((one) => one.name === name);
  if (!model) return;
  let told = 0;
  const onBytes = (fetchedBytes: number) => {
    if (Date.now() - told < tellEveryMs) return;
    told = Date.now();
    noteModel(pool, name, { state: 'fetching', fetchedBytes }).catch(() => {});
  };
  await noteModel(pool, name, { state: 'fetching' });
  await fetchModel({ model, hub: speech.modelHub, folder: folder.models, reserveBytes, signal, onBytes });
  await noteModel(pool, name, { state: 'here', fetchedBytes: model.bytes });
  await publishEngines(context);
}
