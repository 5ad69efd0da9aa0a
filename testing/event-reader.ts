import { until } from './until.ts';

export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** Every event so far, oldest first. */
  readonly events: readonly { readonly event: string; readonly data: unknown }[];
  /** Everything so far, as it came. */
  text(): string;
  /** Whether the server has ended the answer. */
  hasEnded(): boolean;
  /** Waits for the nth event, counted from 1, and returns its data. */
  data(n: number): Promise<unknown>;
  /** Leaves, as a closed tab does. */
  leave(): void;
}

/** Opens an answer of server-sent events and reads along. */
export async function readEvents(address: string, headers: Record<string, string>): Promise<EventReader> {
  const leaving = new AbortController();
  const response = await fetch(address, { headers, signal: leaving.signal });
  const events: { event: string; data: unknown }[] = [];
  let text = '';
  let hasEnded = false;
  const read = async () => {
    let rest = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) events.push(...parseBlock(block));
    }
  };
  read()
    .catch(() => {})
    .finally(() => (hasEnded = true));
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    hasEnded: () => hasEnded,
    data: async (n) => await until(() => events[n - 1] && { data: events[n - 1]?.data }, { withinMs: 10_000 }).then(({ data }) => data),
    leave: () => leaving.abort(),
  };
}

function parseBlock(block: string): { event: string; data: unknown }[] {
  const found = /^event: (.*)\ndata: (.*)$/.exec(block);
  return found ? [{ event: found[1] ?? '', data: JSON.parse(found[2] ?? 'null') }] : [];
}
