import { limits, serverLimits } from '#contract/limits.ts';
import { askOutside } from '#domain/networks/ask-outside.ts';
import { type DueCallback, settleCallback, takeDueCallbacks } from '#domain/videos/callbacks.ts';
import type { Context } from './context.ts';
import { VideoServiceProblem } from './video-service/video-service-problem.ts';

export interface FetchedFootage {
  /** What the address calls it; empty where it does not. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** An address of one of these servers. Throws a Problem that says `otherwise` for every other one. */
export function requireAmong(address: string, origins: readonly string[], otherwise: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !origins.includes(url.origin)) throw new VideoServiceProblem('invalid_parameter', 'UNSUPPORTED', otherwise);
  if (url.username || url.password)
    throw new VideoServiceProblem('invalid_parameter', 'UNSUPPORTED', 'Addresses that contain a user name or password are not allowed.');
  return url;
}

/**
 * Opens a film at an address of one of these servers; where it leads elsewhere, that must be one of them, too. Throws a Problem where the
 * address is not among them or gives no film, also while its bytes are read.
 */
export async function fetchFootage(
  address: string,
  { from, silenceMs = serverLimits.fetchedFilmSilenceMaxMs }: { from: readonly string[]; silenceMs?: number },
): Promise<FetchedFootage> {
  const notAmong = 'This archive only fetches videos from the servers in RUSHES_FETCH_FROM. Send the file itself, without videoUrl.';
  const silence = watchSilence(silenceMs);
  let url = requireAmong(address, from, notAmong);
  for (let hops = 0; hops <= limits.redirectsMax; hops++) {
    const answer = await askOutside(url, { redirect: 'manual', signal: silence.signal }).catch((cause: unknown) =>
      refuseUnreachable(url, cause),
    );
    const next = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null;
    if (next === null) {
      if (answer.status !== 200 || !answer.body) return refuseUnreachable(url, `it answers ${answer.status}`);
      return { name: nameIn(url), bytes: readBody(url, answer.body, silence) };
    }
    await answer.body?.cancel();
    url = requireAmong(URL.canParse(next, url.href) ? new URL(next, url.href).href : next, from, notAmong);
  }
  return refuseUnreachable(url, 'it redirects too often');
}

async function* readBody(url: URL, body: ReadableStream<Uint8Array>, silence: ReturnType<typeof watchSilence>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      silence.heard();
      yield chunk;
    }
  } catch (cause) {
    refuseUnreachable(url, cause);
  } finally {
    silence.end();
  }
}

/** Gives up on a server that says nothing for so long. */
function watchSilence(silenceMs: number) {
  const controller = new AbortController();
  const giveUp = () => controller.abort(new Error(`it sent nothing for ${silenceMs / 1_000} seconds`));
  let timer = setTimeout(giveUp, silenceMs).unref();
  return {
    signal: controller.signal,
    heard: () => {
      clearTimeout(timer);
      timer = setTimeout(giveUp, silenceMs).unref();
    },
    end: () => clearTimeout(timer),
  };
}

function nameIn(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function refuseUnreachable(url: URL, why: unknown): never {
  const reason = why instanceof Error ? (why.cause instanceof Error ? why.cause.message : why.message) : String(why);
  throw new VideoServiceProblem('invalid_parameter', 'URL_UNREACHABLE', `The video could not be fetched from ${url.host}: ${reason}.`);
}

const everyMs = 5_000;

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

type Calling = Pick<Context, 'pool' | 'config' | 'log'>;

/** Makes the calls that are due. */
export async function callBack(calling: Calling, signal?: AbortSignal): Promise<void> {
  const take = () => takeDueCallbacks(calling.pool);
  for (let due = await take(); due.length > 0 && !signal?.aborted; due = await take())
    await Promise.all(due.map((callback) => makeCall(calling, callback, signal)));
}

async function makeCall({ pool, config, log }: Calling, callback: DueCallback, signal: AbortSignal | undefined): Promise<void> {
  const address = addressOf(callback);
  try {
    // What was allowed when it was asked for may not be any more.
    requireAmong(address.href, config.otherServers.told, 'This server is no longer in RUSHES_CALL_BACK.');
    const patience = AbortSignal.timeout(serverLimits.callbackAnsweredWithinMs);
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

/** As the video service tells it: `id` and `state`, or `id` and `faceId`, behind what the address says already. */
function addressOf({ address, videoId, state, face }: DueCallback): URL {
  const url = new URL(address);
  url.searchParams.append('id', videoId);
  if (face === null) url.searchParams.append('state', state);
  else url.searchParams.append('faceId', face);
  return url;
}
