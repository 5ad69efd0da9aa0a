/*
 * Meaning: passages of what is said (passages-of-film) become vectors by an encoder (encoder/), of which signs are kept (encode-film, film-meaning).
 * The encoder works in a process of its own, which is started and asked here. When the search asks for meaning, domain/search/meaning decides.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { serverLimits } from '#contract/limits.ts';
import type { DatabaseAddress } from '../db/database.ts';
import { inTime } from '../scheduling/in-time.ts';
import { parseJson } from '../system/parse-json.ts';
import type { TextEncoder } from './encode-film.ts';
import { builtInEncoder, type EncoderChoice } from './encoder/choose-encoder.ts';
import { MeaningAnswer, type MeaningOrders, type MeaningQuestion } from './meaning-messages.ts';
import { MeantFilm, MeantPlace } from './meant-film.ts';

/** Encodes and finds what is meant, in a process of its own. */
export interface MeaningProcess extends TextEncoder {
  /** Films in which something is said that means nearly what a text means, best first, and those of `among` as well. Throws when the child fails, or takes too long. */
  find(text: string, options: { limit: number; among: readonly string[] }): Promise<MeantFilm[]>;
  /** Of passages of films the lines that mean it most nearly. Throws as `find` does. */
  places(text: string, films: readonly Pick<MeantFilm, 'videoId' | 'passages'>[]): Promise<MeantPlace[]>;
  /** The number of the process that runs at the moment, if one does. */
  readonly pid: number | undefined;
  close(): void;
}

/** Why an encoder cannot be used, in a sentence; another try would end in the same way. */
export class EncoderUnusable extends Error {}

export interface MeaningProcessOptions {
  /** The archive's own where it is not said. */
  readonly encoder?: EncoderChoice | undefined;
  /** Where films are looked for; without it texts are encoded only. */
  readonly address?: DatabaseAddress | undefined;
  /** Told the number of each process that starts. */
  readonly onStart?: ((pid: number) => void) | undefined;
  /** How long the process is kept for the next question. */
  readonly idleMs?: number | undefined;
  /** How long somebody waits for what is found. */
  readonly findsWithinMs?: number | undefined;
  /** What the process may hold with an encoder of the operator's own: one that takes more cannot be used. */
  readonly memoryMaxMB?: number | undefined;
}

const childFile = join(import.meta.dirname, '..', '..', 'commands', 'meaning-child.ts');
const idleMaxMs = 5 * 60_000;
/** What the program's own objects may take, in MB; signs and the model lie beside them. Other encoders have up to thirty times as many pieces of words. */
const heapMb = { builtIn: 96, own: 512 };

/** For the C library: what a batch of texts took goes back to the system, or it would keep 130 MB of it. */
const memoryGivenBack = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

type Question<Q = z.infer<typeof MeaningQuestion>> = Q extends unknown ? Omit<Q, 'id'> : never;

/** Starts a child with the first question and ends it when none has come for a while; the next question starts another one. */
export function openMeaningProcess(options: MeaningProcessOptions = {}): MeaningProcess {
  const {
    address,
    encoder = builtInEncoder,
    idleMs = idleMaxMs,
    findsWithinMs = serverLimits.meaningFoundWithinMs,
    memoryMaxMB = serverLimits.ownEncoderMemoryMaxMb,
  } = options;
  let unusable: EncoderUnusable | undefined;
  let child: MeaningChild | undefined;
  let idle: NodeJS.Timeout | undefined;
  let asked = 0;

  async function ask<T>(question: Question, { Result, withinMs }: { Result: z.ZodType<T>; withinMs: number }): Promise<T> {
    if (unusable) throw unusable;
    clearTimeout(idle);
    const running = child?.isAlive ? child : startMeaningChild({ address: address ?? null, encoder, memoryMaxMB });
    if (running !== child && running.pid !== undefined) options.onStart?.(running.pid);
    child = running;
    asked++;
    // It also holds this process, which nothing else may do while an answer is on its way.
    const giveUp = setTimeout(() => running.end('The sentence encoder stands still.'), serverLimits.encoderAnswersWithinMs);
    const answer = running.ask(question).finally(() => {
      clearTimeout(giveUp);
      asked--;
      if (asked === 0) idle = setTimeout(() => child?.end(), idleMs).unref();
    });
    answer.catch((error: unknown) => {
      if (error instanceof EncoderUnusable) unusable = error;
    });
    return Result.parse(await inTime(answer, withinMs, 'The sentence encoder took too long.'));
  }

  return {
    choice: encoder,
    signs: async (texts) => {
      if (texts.length === 0) return Buffer.alloc(0);
      return Buffer.from(
        await ask({ encode: [...texts] }, { Result: z.string(), withinMs: serverLimits.encoderAnswersWithinMs }),
        'base64',
      );
    },
    find: (text, { limit, among }) =>
      ask({ find: text, limit, among: [...among] }, { Result: z.array(MeantFilm), withinMs: findsWithinMs }),
    places: (text, films) => ask({ places: text, films: [...films] }, { Result: z.array(MeantPlace), withinMs: findsWithinMs }),
    get pid() {
      return child?.isAlive ? child.pid : undefined;
    },
    close: () => {
      clearTimeout(idle);
      child?.end();
    },
  };
}

interface MeaningChild {
  readonly isAlive: boolean;
  readonly pid: number | undefined;
  ask(question: Question): Promise<unknown>;
  /** Whoever still waits for an answer is told why there will be none. */
  end(why?: string): void;
}

function startMeaningChild(orders: MeaningOrders): MeaningChild {
  const child = spawn(process.execPath, [`--max-old-space-size=${orders.encoder.own ? heapMb.own : heapMb.builtIn}`, childFile], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...memoryGivenBack, ...compileCache() },
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let [isAlive, number] = [true, 0];
  const end = (why: Error) => {
    isAlive = false;
    child.kill('SIGKILL');
    for (const { reject } of waiting.values()) reject(why);
    waiting.clear();
  };
  // The orders may hold a password, so they are no argument that others could read. The pipe stays open as a sign of life.
  child.stdin.on('error', () => {});
  const send = (line: object) => child.stdin.write(`${JSON.stringify(line)}\n`);
  send(orders);
  const lastWords = lastWordsOf(child);
  child.on('error', end);
  child.on('close', (code, signal) => end(new Error(`The sentence encoder ended with ${code ?? signal}: ${lastWords()}`)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = MeaningAnswer.safeParse(parseJson(line)).data;
    if (answer && 'unusable' in answer) return end(new EncoderUnusable(`The sentence encoder cannot be used: ${answer.unusable}.`));
    const asking = answer && waiting.get(answer.id);
    if (!asking) return;
    waiting.delete(answer.id);
    if ('error' in answer) asking.reject(new Error(answer.error));
    else asking.resolve(answer.result);
  });
  // Nobody waits for a child that has nothing to do.
  letGo(child);
  return {
    get isAlive() {
      return isAlive;
    },
    pid: child.pid,
    ask: (question) => {
      const asking = Promise.withResolvers<unknown>();
      const id = ++number;
      waiting.set(id, asking);
      send({ id, ...question });
      return asking.promise;
    },
    end: (why = 'The sentence encoder was ended.') => end(new Error(why)),
  };
}

/** What tells a child where this process keeps what Node.js has compiled, if it does: each version has a folder in there. */
function compileCache(): { NODE_COMPILE_CACHE: string } | undefined {
  const ofVersion = getCompileCacheDir();
  return ofVersion === undefined ? undefined : { NODE_COMPILE_CACHE: dirname(ofVersion) };
}

function lastWordsOf({ stderr }: ChildProcess): () => string {
  let words = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-serverLimits.lastWordsMaxCharacters);
  });
  return () => words.trim();
}

/** Lets this process end while the child lives; it ends with its pipe. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Partial<{ unref(): void }> | null)?.unref?.();
}
