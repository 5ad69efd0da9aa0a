import { askOutside } from '#domain/networks/ask-outside.ts';
import { type DueCallback, settleCallback, takeDueCallbacks } from '#domain/videos/callbacks.ts';
import type { Context } from './context.ts';
import { requireAmong } from './http/fetch-footage.ts';

const everyMs = 5_000;
const answerWithinMs = 10_000;

/** Tells other servers of films, as scripts asked for; what fails is tried again for half a day, also by the next start. */
export function startCallingBack(context: Context): { stop(): Promise<void> } {
  if (context.config.otherServers.told.length === 0) return { stop: async () => {} };
  const ended = new AbortController();
  let working: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    const failed = (error: unknown) => context.log.warn('callbacks put off', { error });
    working = working.then(() => callBack(context, ended.signal)).catch(failed);
  }, everyMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      ended.abort();
      await working;
    },
  };
}

/** Makes the calls that are due. */
export async function callBack({ pool, config, log }: Pick<Context, 'pool' | 'config' | 'log'>, signal?: AbortSignal): Promise<void> {
  for (const callback of await takeDueCallbacks(pool)) {
    const address = addressOf(callback);
    try {
      // What was allowed when it was asked for may not be any more.
      requireAmong(address.href, config.otherServers.told, 'This server is not among RUSHES_CALL_BACK any more.');
      const patience = AbortSignal.timeout(answerWithinMs);
      const within = signal ? AbortSignal.any([signal, patience]) : patience;
      const answer = await askOutside(address, { method: 'POST', redirect: 'error', signal: within });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`it answered ${answer.status}`);
      await settleCallback(pool, callback);
    } catch (error) {
      // The address may hold what lets a caller in.
      log.warn('a callback was not taken', { origin: address.origin, videoId: callback.videoId, error });
    }
  }
}

/** As the video service tells it: `id` and `state`, or `id` and `faceId`, behind what the address says already. */
function addressOf({ address, videoId, state, face }: DueCallback): URL {
  const url = new URL(address);
  url.searchParams.append('id', videoId);
  if (face === null) url.searchParams.append('state', state);
  else url.searchParams.append('faceId', face);
  return url;
}
