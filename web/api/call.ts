/*
 * The way to the server: every request of a page is a call by the name of its row in contract/routes.ts. A file for each noun holds its calls and
 * what is kept of their answers (query-client); tokens and token-keeper hold the keys, call-failed says what went wrong.
 */
import type { endpoints, Input, Output } from '#contract/endpoints.ts';
import { limits } from '#contract/limits.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { pageSettings } from '#web/page-settings.ts';
import { buildRequest, type CallInput } from './build-request.ts';
import { describeFailure, makeOfflineFailure } from './call-failed.ts';

interface CallOptions {
  /** Goes into the query, as the video service wants it. */
  accessToken?: string;
  /** Goes into the Authorization header. */
  bearer?: string;
  signal?: AbortSignal;
  /** Changes something, and takes no time there: it is waited for no longer than an answer. */
  isQuick?: boolean;
}

/** Names of the routes that answer JSON. */
type CallName = keyof typeof endpoints;

const bases = { site: '', functions: pageSettings.functionsBase, 'sign-in': '', 'video-service': pageSettings.videoServiceBase };

/** Calls one endpoint of the contract. The server has checked its answer against the schema, so the page does not do it again. */
export async function call<N extends CallName>(
  name: N,
  input: Input<(typeof endpoints)[N]> & CallInput,
  { accessToken, bearer, signal, isQuick = false }: CallOptions = {},
): Promise<Output<(typeof endpoints)[N]>> {
  const route: Route = routes[name];
  const asked: CallInput = input;
  const { method, path, body } = buildRequest(route, accessToken ? { ...asked, accessToken } : asked);
  // Both functions are called with JSON content type by the published contract, though a GET has no body.
  const headers = { 'content-type': 'application/json', ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) };
  const url = bases[route.surface ?? 'site'] + path;
  const response = await askArchive(url, { method, headers, body, signal }, { takesLong: method !== 'GET' && !isQuick });
  return await readJson(response, signal);
}

/**
 * Asks one address of the archive, and waits for the answer no longer than for any, unless what is asked takes long. Throws a `CallFailed` with
 * the server's words, or one that says that there is no connection; at the signal, what the signal was raised with.
 */
export async function askArchive(url: string, { signal, ...request }: Asking, { takesLong = false } = {}): Promise<Response> {
  const response = await fetch(url, { ...request, signal: takesLong ? signal : withTimeout(signal) }).catch(throwNoAnswer(signal));
  if (!response.ok) throw describeFailure(response.status, await readJson(response, signal), response.headers.get('retry-after'));
  return response;
}

interface Asking extends RequestInit {
  readonly signal?: AbortSignal | undefined;
}

/** What is no JSON has come, and says nothing; all else is an answer that broke off. */
async function readJson(response: Response, signal: AbortSignal | undefined) {
  const brokeOff = throwNoAnswer(signal);
  return await response.json().catch((cause: unknown) => (cause instanceof SyntaxError ? undefined : brokeOff(cause)));
}

function throwNoAnswer(signal: AbortSignal | undefined): (cause: unknown) => never {
  return (cause) => {
    if (signal?.aborted) throw cause;
    throw makeOfflineFailure(cause);
  };
}

function withTimeout(signal: AbortSignal | undefined): AbortSignal {
  const time = AbortSignal.timeout(limits.answerMaxMs);
  return signal ? AbortSignal.any([signal, time]) : time;
}
