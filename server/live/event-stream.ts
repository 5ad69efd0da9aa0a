import { Readable } from 'node:stream';

/** One answer of server-sent events, as a stream that the answer is made of. */
export interface EventStream {
  readonly readable: Readable;
  /** Sends an event with its data as JSON. */
  say(event: string, data: unknown): void;
  /** Sends a comment, so that proxies see life and a connection that is gone is noticed. */
  beat(): void;
  /** Ends the answer; the browser comes back after `comeBackInMs`, when that is given. */
  end(comeBackInMs?: number): void;
}

/** Nobody reads who lets this much pile up. */
const unreadMaxBytes = 65_536;

/** Opens a stream of events; a browser that loses it comes back after `comeBackInMs`. */
export function openEventStream(comeBackInMs: number): EventStream {
  const readable = new Readable({ read: () => {} });
  const write = (text: string) => {
    if (readable.destroyed || readable.readableEnded) return;
    if (readable.readableLength > unreadMaxBytes) readable.destroy();
    else readable.push(text);
  };
  let isOver = false;
  write(`retry: ${comeBackInMs}\n\n`);
  return {
    readable,
    say: (event, data) => !isOver && write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    beat: () => !isOver && write(':\n\n'),
    end: (later) => {
      if (isOver) return;
      if (later !== undefined) write(`retry: ${later}\n\n`);
      isOver = true;
      if (!readable.destroyed) readable.push(null);
    },
  };
}
