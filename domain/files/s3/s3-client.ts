import { setTimeout as wait } from 'node:timers/promises';
import { S3mini, S3ServiceError } from 's3mini';
import { serverLimits } from '#contract/limits.ts';
import { askOutside } from '../../networks/ask-outside.ts';
import { inTime } from '../../scheduling/in-time.ts';
import { errorMessageOf } from '../../system/error-message.ts';
import { StoreAway } from '../store-away.ts';
import type { S3Settings } from './s3-settings.ts';

/** How a store is asked; tests are less patient. */
export interface S3Patience {
  /** Pauses between one try and the next: one more than these are made. */
  readonly pausesMs: readonly number[];
  /** How long an answer may take to begin, and from then on to bring nothing. */
  readonly answersWithinMs: number;
  /** How fast a store copies at least by itself: many answer only when they have. */
  readonly copiesBytesPerMs?: number;
}

const patient: S3Patience = { pausesMs: [100, 400, 1_600, 4_000], answersWithinMs: serverLimits.storeAnswersWithinMs };
/** So slow that a loaded disk keeps up, and so fast that the longest copy is there before `fetch` itself gives up, after 300 s. */
const copiesBytesPerMs = 20_000;
/** What is sent may be megabytes, over a slow line. */
const sendingFactor = 8;

/** The one way to a bucket: every call is repeated while that may help, and fails with `StoreAway` then. */
export interface S3Client {
  readonly s3: S3mini;
  readonly patience: S3Patience;
  /** Asks until it succeeds; `copiedBytes` are what the store copies before it answers, and an answer that `isShort` has to come to its end in twice the time. Throws StoreAway. */
  ask<T>(request: (s3: S3mini) => Promise<T>, what?: { readonly copiedBytes?: number; readonly isShort?: boolean }): Promise<T>;
  /** The same about an object that may not be there: null then. */
  find<T>(request: (s3: S3mini) => Promise<T>, what?: { readonly isShort: boolean }): Promise<T | null>;
}

/** Opens a bucket; nothing is asked yet. */
export function openS3Client({ endpoint, bucket, region, accessKey, secretKey, pathStyle }: S3Settings, patience = patient): S3Client {
  const address = new URL(endpoint);
  if (!pathStyle) address.hostname = `${bucket}.${address.hostname}`;
  const open = (answersWithinMs: number) =>
    new S3mini({
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      endpoint: pathStyle ? `${address.href.replace(/\/+$/, '')}/${bucket}` : address.href,
      region,
      fetch: (input, init) => askPatiently(input, init, answersWithinMs),
    });
  const s3 = open(patience.answersWithinMs);
  const ask: S3Client['ask'] = async (request, { copiedBytes = 0, isShort = false } = {}) => {
    const copiesMs = copiedBytes / (patience.copiesBytesPerMs ?? copiesBytesPerMs);
    const asked = copiesMs > patience.answersWithinMs ? open(copiesMs) : s3;
    for (let tries = 0; ; tries++) {
      try {
        return isShort ? await inTime(request(asked), 2 * patience.answersWithinMs, 'it fell silent') : await request(asked);
      } catch (error) {
        const pauseMs = patience.pausesMs[tries];
        if (pauseMs === undefined || !mayPass(error)) throw new StoreAway(reasonOf(error), { cause: error });
        // Everybody who was cut off at once is not to come back at once.
        await wait(pauseMs * (0.5 + Math.random()));
      }
    }
  };
  const find = <T>(request: (client: S3mini) => Promise<T>, what?: { readonly isShort: boolean }): Promise<T | null> =>
    ask(
      (client) =>
        request(client).catch((error: unknown) => {
          if (isNotFound(error)) return null;
          throw error;
        }),
      what,
    );
  return { s3, patience, ask, find };
}

async function askPatiently(input: string | URL | Request, init: RequestInit | undefined, answersWithinMs: number): Promise<Response> {
  const late = new AbortController();
  const withinMs = init?.body ? answersWithinMs * sendingFactor : answersWithinMs;
  const timer = setTimeout(() => late.abort(new Error(`it did not answer within ${withinMs / 1_000} s`)), withinMs);
  try {
    return await askOutside(input instanceof Request ? input.url : input, { ...init, signal: late.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the object is not there. A bucket that is not there says nothing of what it held. */
function isNotFound(error: unknown): boolean {
  return error instanceof S3ServiceError && error.status === 404 && error.serviceCode !== 'NoSuchBucket';
}

/** Whether an error tells that a range lies past the end of its object. */
export function isPastEnd(error: unknown): boolean {
  return error instanceof StoreAway && error.cause instanceof S3ServiceError && error.cause.status === 416;
}

/** Whether the parts of an upload are no longer known: it ended, or was given up. */
export function isUploadGone(error: unknown): boolean {
  return error instanceof StoreAway && error.cause instanceof S3ServiceError && error.cause.status === 404;
}

/** Busy, ending, cut off, or bytes that did not arrive as they were sent. A refusal stays one. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof S3ServiceError)) return true;
  return (
    error.status >= 500 ||
    [408, 429].includes(error.status) ||
    ['BadDigest', 'IncompleteBody', 'RequestTimeout'].includes(error.serviceCode ?? '')
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof S3ServiceError) return `it answers ${error.status} ${error.serviceCode ?? ''}`.trimEnd();
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${errorMessageOf(error)}${cause}`;
}
