import type { FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { isOfVideoService } from '../route-of.ts';

/**
 * The token of a request: `Authorization: Bearer`, or `accessToken` in the query of a GET where the video service takes it: at its own calls and
 * in frames. Two that differ are refused, so that neither place wins over the other.
 */
export function requestToken(request: FastifyRequest): string {
  const inHeader = readBearerToken(request);
  const mayBeInQuery = takesQueryToken(request);
  const inQuery = mayBeInQuery ? queryToken(request.query) : '';
  if (inHeader && inQuery && inHeader !== inQuery) {
    throw new Problem('invalid_parameter', 'Two different access tokens came with this request. Send one.');
  }
  const token = inHeader || inQuery;
  if (!token) throw new Problem('unauthenticated', mayBeInQuery ? needsToken : needsTokenInHeader);
  return token;
}

const needsToken = 'This call needs an access token, as accessToken or as Authorization: Bearer.';
const needsTokenInHeader = 'This call needs an access token as Authorization: Bearer. It does not accept one in the address.';

/** Addresses stand in logs and histories: no other call takes a token there. */
function takesQueryToken(request: FastifyRequest): boolean {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  return reads && (isOfVideoService(request) || /^\/embed\//i.test(request.url));
}

/** The token of the Authorization header alone; empty when there is none. */
export function readBearerToken(request: FastifyRequest): string {
  return request.headers.authorization?.match(/^bearer +([^\s,]+)$/i)?.[1] ?? '';
}

function queryToken(query: unknown): string {
  const value = query && typeof query === 'object' && 'accessToken' in query ? query.accessToken : '';
  if (Array.isArray(value)) throw new Problem('invalid_parameter', 'accessToken appears twice in the address. Send it once.');
  return typeof value === 'string' ? value : '';
}
