import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { refuseProxies } from './access/practice-visitor.ts';
import { refuseForeignHosts } from './allowed-hosts.ts';
import { boundConnections } from './bound-connections.ts';
import { refuseForeignOrigins } from './own-origin.ts';
import { answerProblems } from './problems.ts';
import { limitRates, refusedAfterMs } from './rate-limits.ts';
import { setSecurityHeaders } from './security-headers.ts';

/** The bare application: what every request goes through, and how every error is answered. */
export function createFastify({ config, log }: Context): FastifyInstance {
  const onProblem = answerProblems(log);
  const setHeaders = setSecurityHeaders(config);
  const checkHost = refuseForeignHosts(config);
  const checkOrigin = refuseForeignOrigins(config);
  const checkRate = limitRates(config);
  const app = Fastify({
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    requestTimeout: 60_000,
    keepAliveTimeout: 5_000,
    // Node looks once in so long who is over their time: a request's headers end within ten seconds in all.
    http: { headersTimeout: 9_000, connectionsCheckingInterval: 1_000 },
    // Nothing that is said in JSON here is longer; taking one megabyte of it apart would hold everybody else up for half a second.
    bodyLimit: 131_072,
    // A path that cannot be read never reaches the hooks, so its answer gets the headers here.
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply);
      onProblem(error, request, reply);
    },
    // The video service's paths are written in either case by its clients.
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true },
  });
  boundConnections(app.server, config);
  // A form of another site can send text/plain without asking; nothing here takes it.
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler(onProblem);
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply);
    checkHost(request);
    if (config.practice) refuseProxies(request);
    checkOrigin(request);
    const refusal = checkRate(request);
    if (refusal) setTimeout(done, refusedAfterMs, refusal);
    else done();
  });
  app.addHook('onSend', compressJson);
  return app;
}

const deflate = promisify(gzip);
const worthItFrom = 1_400;
const loopback = /^(::ffff:)?127\.|^::1$/;

/** Packs long JSON for callers on other machines: a page of results shrinks to a tenth. On this machine bytes cost nothing. */
async function compressJson(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const type = String(reply.getHeader('content-type') ?? '');
  if (typeof payload !== 'string' || payload.length < worthItFrom || !type.includes('json') || loopback.test(request.ip)) return payload;
  reply.header('vary', 'accept-encoding');
  if (!/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(request.headers['accept-encoding'] ?? '')) return payload;
  reply.header('content-encoding', 'gzip');
  return await deflate(payload, { level: 4 });
}
