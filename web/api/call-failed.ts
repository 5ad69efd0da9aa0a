/** An answer that is not a success, with what the server said about it; status 0 when there was no answer at all. */
export class CallFailed extends Error {
  readonly status: number;
  readonly code: string;
  constructor(message: string, { status, code, cause }: { status: number; code: string; cause?: unknown }) {
    super(message, { cause });
    this.name = 'CallFailed';
    this.status = status;
    this.code = code;
  }
}

/** The video service ends its messages with it. */
const traceId = / Trace id: '[^']*'\.$/;

/** Reads both error shapes: problem details of the site, `{ErrorType, Message}` of the video service. */
export function describeFailure(status: number, body: unknown): CallFailed {
  const text = (name: string) => {
    const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const message = text('detail') ?? text('Message') ?? text('message') ?? `The server answered ${status}.`;
  return new CallFailed(message.replace(traceId, ''), {
    status,
    code: text('code') ?? text('ErrorType') ?? text('errorType') ?? 'unknown',
  });
}

/** Whether no answer came at all: there is no connection, or none that is of use. */
export function isOffline(reason: unknown): boolean {
  return reason instanceof CallFailed && reason.code === 'offline';
}
