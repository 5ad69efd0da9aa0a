import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import type { ByteRange, FileStore, StoredFile } from '#domain/files/store.ts';

/**
 * Sends a stored file, or the one stretch of it that the request asks for (RFC 9110, 14): a browser that holds the same version already
 * gets 304, several stretches at once are answered with the whole file. Throws `not_found` and `range_not_satisfiable`.
 */
export async function sendStoredFile(
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { store, key }: { readonly store: FileStore; readonly key: string },
): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const file = await store.stat(key);
  if (!file) throw new Problem('not_found', 'This video has no such file.');
  const version = `"${file.sizeBytes.toString(36)}-${file.modifiedAt.getTime().toString(36)}"`;
  reply.header('accept-ranges', 'bytes').header('etag', version).header('last-modified', file.modifiedAt.toUTCString());
  if (hasSameVersion(request, version)) return reply.code(304).send();
  const range = askedRange(exchange, file, version);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end - 1}/${file.sizeBytes}`);
  reply.header('content-length', range ? range.end - range.start : file.sizeBytes);
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const found = await store.openRange(key, range);
  if (!found) throw new Problem('not_found', 'This video has no such file.');
  return reply.send(found.stream());
}

function hasSameVersion({ headers }: FastifyRequest, version: string): boolean {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known?.some((tag) => tag === version || tag === '*') ?? false;
}

/** The stretch to answer with; undefined for the whole file. */
function askedRange(
  { request: { headers }, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { sizeBytes, modifiedAt }: StoredFile,
  version: string,
): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  // Part of another version would not fit what the browser holds.
  const heldVersion = headers['if-range'];
  if (heldVersion !== undefined && heldVersion !== version && heldVersion !== modifiedAt.toUTCString()) return undefined;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1);
  if (start < end) return { start, end };
  reply.header('content-range', `bytes */${sizeBytes}`);
  throw new Problem('range_not_satisfiable', `The file has ${sizeBytes} bytes; the part that was asked for lies outside of it.`);
}
