import { AsyncLocalStorage } from 'node:async_hooks';

const answerMaxBytes = 1_048_576;
const deadlines = new AsyncLocalStorage<AbortSignal>();
const plainFetch = globalThis.fetch;

/**
 * Runs `work`, which talks to a provider: all of its requests together take `withinMs` at most, and none may answer more than a
 * megabyte or lead elsewhere; one that does throws.
 */
export function withinBounds<T>(withinMs: number, work: () => Promise<T>): Promise<T> {
  return deadlines.run(AbortSignal.timeout(withinMs), work);
}

// The libraries behind sign-in ask by the global name and know no such bounds. Outside of such work it does what it always did.
globalThis.fetch = (input, init) => {
  const deadline = deadlines.getStore();
  return deadline ? boundedFetch(input, { ...init, deadline }) : plainFetch(input, init);
};

async function boundedFetch(
  input: string | URL | Request,
  { deadline, ...init }: RequestInit & { deadline: AbortSignal },
): Promise<Response> {
  const signal = init.signal ? AbortSignal.any([deadline, init.signal]) : deadline;
  const answer = await plainFetch(input, { ...init, signal, redirect: init.redirect === 'manual' ? 'manual' : 'error' });
  const { status, statusText, headers } = answer;
  const body = await readBody(answer);
  return new Response(body.length > 0 ? body : null, { status, statusText, headers });
}

async function readBody({ body }: Response): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    // Leaving the loop ends the connection.
    if (bytes > answerMaxBytes) throw new Error('the provider answered more than a megabyte');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
