import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const deflate = promisify(gzip);
const worthItFrom = 1_400;
const loopback = /^(::ffff:)?127\.|^::1$/;

/** Packs long JSON for callers on other machines: a page of results shrinks to a tenth. On this machine bytes cost nothing. */
export async function compressJson(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const type = String(reply.getHeader('content-type') ?? '');
  if (typeof payload !== 'string' || payload.length < worthItFrom || !type.includes('json') || loopback.test(request.ip)) return payload;
  reply.header('vary', 'accept-encoding');
  if (!/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(request.headers['accept-encoding'] ?? '')) return payload;
  reply.header('content-encoding', 'gzip');
  return await deflate(payload, { level: 4 });
}
