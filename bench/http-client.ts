import { Agent, get } from 'node:http';
import { seededRandom } from '#testing/seeded-random.ts';
import { faultOf, type RawAnswer } from './check-answer.ts';

/** A question, and whether the archive had an answer to it. */
export interface AskedQuestion {
  readonly query: string;
  readonly finds: boolean;
}

/** What the client is told by the process that started it. */
export interface Orders {
  /** Address of the search route, without its query. */
  readonly searchAddress: string;
  readonly accessToken: string;
  readonly questions: readonly AskedQuestion[];
  readonly connections: number;
}

/** What it tells back once it is told to stop. */
export interface Report {
  readonly seconds: number;
  /** Of every answer that was right: from the first byte sent to the last one read. */
  readonly timesMs: readonly number[];
  readonly faults: readonly string[];
}

const pageSize = '12';
/** Taking an answer apart costs as much as making it, on the same machine. */
const whollyCheckedEvery = 10;

// Whoever started it may be gone without a word.
process.once('disconnect', () => process.exit());
process.once('message', (orders: Orders) => {
  let isStopped = false;
  process.once('message', () => {
    isStopped = true;
  });
  void ask(orders, () => isStopped).then((report) => process.send?.(report, () => process.disconnect?.()));
});

/** As many askers as connections: each asks its next question when it has read the answer to the one before. */
async function ask({ searchAddress, accessToken, questions, connections }: Orders, isStopped: () => boolean): Promise<Report> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const timesMs: number[] = [];
  const faults: string[] = [];
  const startedAt = performance.now();
  const asker = async (seed: number) => {
    const random = seededRandom(seed);
    for (let n = 0; !isStopped(); n++) {
      const { query, finds } = random.pick(questions) ?? { query: '', finds: true };
      const address = `${searchAddress}?${new URLSearchParams({ query, pageSize, accessToken })}`;
      const askedAt = performance.now();
      const answer = await read(address, agent).catch((error: Error) => error);
      const tookMs = performance.now() - askedAt;
      const fault = answer instanceof Error ? answer.message : faultOf(answer, { finds, wholly: n % whollyCheckedEvery === 0 });
      if (fault === null) timesMs.push(tookMs);
      else faults.push(`${query.trim()}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, n) => asker(n + 1)));
  agent.destroy();
  return { seconds: (performance.now() - startedAt) / 1_000, timesMs, faults };
}

function read(address: string, agent: Agent): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = get(address, { agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, contentType: response.headers['content-type'] ?? '', body });
      });
    });
    request.on('error', reject);
  });
}
