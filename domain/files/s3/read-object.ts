import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { ByteRange, StoredRange } from '../store.ts';
import { StoreAway } from '../store-away.ts';
import { isPastEnd, type S3Client } from './s3-client.ts';

/** What a bucket says of an object. */
export interface ObjectFacts {
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  /** Of this version of it; the MD5 of what was put in one piece, mostly. */
  readonly etag: string;
}

/** Of an answer that is read as a whole. */
const short = { isShort: true };

/** Null where there is no such object. Throws StoreAway. */
export async function findObject(client: S3Client, name: string): Promise<ObjectFacts | null> {
  try {
    const firstByte = async (s3: S3Client['s3']) => {
      const response = await s3.getObjectRaw(name, false, 0, 1);
      await response.arrayBuffer();
      return factsOf(response);
    };
    return await client.find(firstByte, short);
  } catch (error) {
    if (!isPastEnd(error)) throw error;
    // It has no first byte: only a list tells its date.
    const page = await client.ask((s3) => s3.listObjectsPaged('/', name, 1), short);
    const found = page?.objects?.find((object) => object.Key === name);
    return found ? { sizeBytes: found.Size, modifiedAt: found.LastModified, etag: found.ETag } : null;
  }
}

/** What is longer is read when somebody reads it. */
const readAtOnceBytes = 262_144;
/** Whoever opened a stretch and does not read it is not to keep a connection. */
const unreadMs = 5_000;

/** Opens an object, or a stretch of it, by one request; null where there is none. Throws StoreAway. */
export async function openObject(client: S3Client, name: string, range?: ByteRange): Promise<StoredRange | null> {
  if (range && range.start >= range.end) return emptyRangeOf(await findObject(client, name));
  try {
    const response = await client.find((s3) => request(s3, name, range));
    return response && (await stretchOf(client, { name, start: range?.start ?? 0 }, response));
  } catch (error) {
    if (isPastEnd(error)) return emptyRangeOf(await findObject(client, name));
    throw error;
  }
}

function request(s3: S3Client['s3'], name: string, range: ByteRange | undefined): Promise<Response> {
  return range ? s3.getObjectRaw(name, false, range.start, range.end) : s3.getObjectRaw(name);
}

function emptyRangeOf(facts: ObjectFacts | null): StoredRange | null {
  if (!facts) return null;
  const { sizeBytes, modifiedAt } = facts;
  return { sizeBytes, modifiedAt, bytes: () => Promise.resolve(Buffer.alloc(0)), stream: () => Readable.from([]) };
}

async function stretchOf(client: S3Client, { name, start }: { name: string; start: number }, response: Response): Promise<StoredRange> {
  const facts = factsOf(response);
  const length = Number(response.headers.get('content-length') ?? facts.sizeBytes - start);
  let first: Response | undefined = response;
  const chunks = () => {
    const begun = first;
    first = undefined;
    return readOn(client, { name, start, end: start + length, etag: facts.etag }, begun);
  };
  if (length <= readAtOnceBytes) {
    const bytes = Buffer.concat(await Array.fromAsync(chunks()));
    return { ...facts, bytes: () => Promise.resolve(bytes), stream: () => Readable.from([bytes]) };
  }
  setTimeout(() => {
    void first?.body?.cancel();
    first = undefined;
  }, unreadMs).unref();
  return {
    sizeBytes: facts.sizeBytes,
    modifiedAt: facts.modifiedAt,
    bytes: async () => Buffer.concat(await Array.fromAsync(chunks())),
    stream: () => Readable.from(chunks(), { objectMode: false }),
  };
}

interface Stretch extends ByteRange {
  readonly name: string;
  readonly etag: string;
}

/** Reads a stretch of one version of an object; what is cut off goes on where it was. Throws StoreAway. */
async function* readOn(client: S3Client, { name, start, end, etag }: Stretch, begun: Response | undefined): AsyncGenerator<Buffer> {
  const { pausesMs, answersWithinMs } = client.patience;
  let response = begun;
  let at = start;
  for (let cuts = 0; at < end; ) {
    response ??= await client.ask((s3) => s3.getObjectRaw(name, false, at, end));
    if (factsOf(response).etag !== etag) {
      await response.body?.cancel();
      throw new StoreAway(`${name} was replaced while it was read`);
    }
    try {
      for await (const chunk of chunksOf(response, answersWithinMs)) {
        at += chunk.length;
        yield chunk;
        cuts = 0;
      }
      if (at < end) throw new Error(`it ended ${end - at} bytes too early`);
    } catch (cause) {
      const pauseMs = pausesMs[cuts++];
      if (pauseMs === undefined) throw new StoreAway(`${name} cannot be read to its end`, { cause });
      await wait(pauseMs);
    }
    response = undefined;
  }
}

/** Chunks as they come. Throws when none has come for so long. */
async function* chunksOf(response: Response, silenceMs: number): AsyncGenerator<Buffer> {
  if (!response.body) return;
  const reader = response.body.getReader();
  let timer: NodeJS.Timeout | undefined;
  try {
    for (;;) {
      const { promise: silence, reject } = Promise.withResolvers<never>();
      timer = setTimeout(() => reject(new Error('it fell silent')), silenceMs);
      const { done, value } = await Promise.race([reader.read(), silence]);
      clearTimeout(timer);
      if (done) return;
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  } finally {
    clearTimeout(timer);
    // Whoever stops reading gives the connection back.
    await reader.cancel().catch(() => {});
  }
}

function factsOf({ headers }: Response): ObjectFacts {
  const whole = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] ?? headers.get('content-length');
  return {
    sizeBytes: Number(whole),
    modifiedAt: new Date(headers.get('last-modified') ?? 0),
    etag: (headers.get('etag') ?? '').replaceAll('"', ''),
  };
}

const pageSize = 1_000;

interface ListedObject {
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** Every object whose name begins so, in order of names. Throws StoreAway. */
export async function* listObjects(client: S3Client, prefix: string): AsyncGenerator<ListedObject> {
  for await (const { Key, Size, LastModified } of pagesOf(client, prefix, {}))
    yield { name: Key, sizeBytes: Size, modifiedAt: LastModified };
}

/** What stands between `prefix`, which ends in a slash, and the next slash, once each. Throws StoreAway. */
export async function listFolders(client: S3Client, prefix: string): Promise<string[]> {
  const found = await Array.fromAsync(pagesOf(client, prefix, { delimiter: '/' }));
  return found.flatMap(({ Key }) => (Key.endsWith('/') ? Key.slice(prefix.length, -1) : []));
}

async function* pagesOf(client: S3Client, prefix: string, options: Record<string, string>) {
  for (let token: string | undefined; ; ) {
    const page = await client.ask((s3) => s3.listObjectsPaged('/', prefix, pageSize, token, options), short);
    if (!page?.objects) throw new StoreAway('the bucket does not exist');
    yield* page.objects;
    token = page.nextContinuationToken;
    if (token === undefined) return;
  }
}
