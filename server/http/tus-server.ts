import { Readable } from 'node:stream';
import { DataStore, type Lock, type Locker, Server, Upload } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { serverLimits } from '#contract/limits.ts';
import { Problem, type ProblemCode } from '#contract/problem.ts';
import { ensureSpace, listLocalMedia } from '#domain/files/stage-file.ts';
import { openUploadBytes } from '#domain/footage/upload-bytes.ts';
import { appendToUpload, beginUpload, cancelUpload, makeUploadId, receivedOf, requireUpload } from '#domain/footage/uploads.ts';
import { errorCodeOf } from '#domain/system/error-code.ts';
import type { Context } from '../context.ts';

/** Who sends, over which exchange. */
export interface Sending {
  readonly userId: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Speaks tus 1.0 for uploads: begin, ask how much has come, send on, cancel. Every answer goes through the application, with its headers
 * and its words for what goes wrong. What a call may do was decided before it comes here, but for whose upload it is.
 */
export function createTusServer(context: Context, { path }: { readonly path: string }): (sending: Sending) => Promise<FastifyReply> {
  const { config } = context;
  const senders = new WeakMap<Request, string>();
  const server = new Server({
    path,
    datastore: new UploadStore(context),
    locker: openLocker(),
    lockDrainTimeout: serverLimits.uploadGivenUpWithinMs,
    relativeLocation: true,
    namingFunction: makeUploadId,
    onUploadCreate: async (request, { id, size = 0, metadata }) => {
      const { filename, ends, replaces } = metadata ?? {};
      const file = { id, userId: senders.get(request) ?? '', name: filename ?? '', sizeBytes: size, ends: ends ?? '' };
      await beginUpload(
        context,
        { ...file, replaces: replaces ?? undefined },
        { ...config.uploads, reserveBytes: config.diskReserveBytes, quota: config.quota },
      );
      return {};
    },
    onIncomingRequest: async (request, id) => {
      // A new one has no owner yet.
      if (request.method !== 'POST') await requireUpload(context.pool, { id, userId: senders.get(request) ?? '' });
    },
    onResponseError: (_request, error) => {
      // What is not tus' own is answered as everywhere.
      if (error instanceof Error) throw isNoSpace(error) ? makeNoSpaceProblem(error) : error;
      return undefined;
    },
  });
  return async ({ userId, request, reply }) => {
    const asked = toWebRequest(request);
    senders.set(asked, userId);
    const answer = await server.handleWeb(asked);
    if (answer.status >= 400) throw await problemOf(answer);
    for (const [name, value] of answer.headers) if (/^(tus-|upload-|location$)/.test(name)) reply.header(name, value);
    return reply.code(answer.status).send();
  };
}

/** Rows and files of the archive, as tus asks for them. */
class UploadStore extends DataStore {
  readonly #context: Context;

  constructor(context: Context) {
    super();
    this.#context = context;
    this.extensions = ['creation', 'termination'];
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const { folder, config } = this.#context;
    if (openUploadBytes(this.#context).areOnDisk)
      await ensureSpace([folder.uploads, ...listLocalMedia(this.#context)], 0, config.diskReserveBytes);
    return await appendToUpload(this.#context, { id, offset, from: stream, isOurs: true });
  }

  override async getUpload(id: string): Promise<Upload> {
    const upload = await requireUpload(this.#context.pool, { id });
    const offset = await receivedOf(this.#context, upload);
    if (offset === null) throw new Problem('not_found', 'The uploaded part of this file is gone. Start the upload again.');
    return new Upload({ id, size: upload.sizeBytes, offset, creation_date: upload.createdAt.toISOString() });
  }

  override async remove(id: string): Promise<void> {
    await cancelUpload(this.#context, id);
  }
}

/**
 * Lets one call at a time at an upload. Whoever comes next has the one before it end: its connection may be long gone, and nobody have
 * noticed.
 */
function openLocker(): Locker {
  const held = new Map<
    string,
    { readonly giveWay: () => Promise<void> | void; readonly released: Promise<void>; readonly release: () => void }
  >();
  const newLock = (id: string): Lock => ({
    lock: async (stopSignal, giveWay) => {
      for (let holder = held.get(id); holder; holder = held.get(id)) {
        await holder.giveWay();
        await holder.released;
        if (stopSignal.aborted) throw new Problem('unavailable', 'This upload is busy. Try again.', { retryAfterSeconds: 1 });
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(id, { giveWay, released: promise, release: resolve });
    },
    unlock: () => {
      held.get(id)?.release();
      held.delete(id);
      return Promise.resolve();
    },
  });
  return { newLock };
}

function toWebRequest({ method, url, headers, body }: FastifyRequest): Request {
  const names = Object.entries(headers).flatMap(([name, value]): [string, string][] => (typeof value === 'string' ? [[name, value]] : []));
  const sent = body instanceof Readable ? toWebStream(body) : null;
  const init = { method, headers: new Headers(names), body: sent, duplex: 'half' as const };
  return new Request(`http://archive.invalid${url}`, init);
}

function toWebStream(from: Readable): ReadableStream<Uint8Array> {
  const chunks = from[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

const codes: Readonly<Record<number, ProblemCode>> = {
  404: 'not_found',
  409: 'conflict',
  410: 'not_found',
  412: 'version_mismatch',
  413: 'file_too_large',
};

/** What tus refuses, in the shape of every other refusal. */
async function problemOf(answer: Response): Promise<Problem> {
  const said = (await answer.text()).trim();
  if (answer.status >= 500) return new Problem('internal', said, { cause: new Error(`tus: ${said}`) });
  return new Problem(
    codes[answer.status] ?? 'invalid_parameter',
    `${said.replace(/\.$/, '')}. Ask how much has arrived, and resume from there.`,
  );
}

function isNoSpace(error: Error): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCodeOf(error));
}

function makeNoSpaceProblem(cause: Error): Problem {
  return new Problem('storage_full', 'The archive’s disk is full. The uploaded part is kept; resume once there is room.', { cause });
}
