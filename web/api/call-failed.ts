/** An answer that is not a success, with what the server said about it; status 0 when there was no answer at all. */
export class CallFailed extends Error {
  readonly status: number;
  readonly code: string;
  /** When to ask again, where the server said so. */
  readonly retryAfterSeconds: number | null;
  /** What of the call it is about, by its name there. */
  readonly parameter: string | undefined;
  constructor(message: string, { status, code, retryAfterSeconds, parameter, cause }: Failure) {
    super(message, { cause });
    this.name = 'CallFailed';
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
    this.parameter = parameter;
  }
}

interface Failure {
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds?: number | null;
  readonly parameter?: string | undefined;
  readonly cause?: unknown;
}

/** Whether nobody can search at this moment, and may soon. */
export function isIndexNotReady(reason: unknown): reason is CallFailed {
  return reason instanceof CallFailed && reason.code === 'INDEX_NOT_READY';
}

/** The video service ends its messages with it. */
const traceId = / Trace id: '[^']*'\.$/;

/** As a proxy answers for an archive that it cannot reach: in its own words, while the archive has JSON for everything. */
const saidByProxies: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Reads both error shapes: problem details of the site, `{ErrorType, Message}` of the video service; `body` is undefined where it is no JSON,
 * and `retryAfter` is the header of that name.
 */
export function describeFailure(status: number, body: unknown, retryAfter: string | null = null): CallFailed {
  if (body === undefined && saidByProxies.has(status)) return makeOfflineFailure();
  const text = (name: string) => {
    const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const message = text('detail') ?? text('Message') ?? text('message') ?? `The server answered ${status}.`;
  return new CallFailed(message.replace(traceId, ''), {
    status,
    retryAfterSeconds: retryAfter !== null && /^\d{1,4}$/.test(retryAfter) ? Number(retryAfter) : null,
    code: text('code') ?? text('ErrorType') ?? text('errorType') ?? 'unknown',
    parameter: text('parameter'),
  });
}

/** That the archive did not answer, and why; `advice` says what happens then, or what to do. */
export function makeOfflineFailure(cause?: unknown, advice = 'Try again when it is back.'): CallFailed {
  return new CallFailed(`No connection to the archive. ${advice}`, { status: 0, code: 'offline', cause });
}

/** Whether no answer came at all: there is no connection, or none that is of use. */
export function isOffline(reason: unknown): boolean {
  return reason instanceof CallFailed && reason.code === 'offline';
}
