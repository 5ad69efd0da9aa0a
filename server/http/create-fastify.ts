import { randomUUID } from 'node:crypto';
import { type Server, ServerResponse, STATUS_CODES } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { serverLimits } from '#contract/limits.ts';
import { Problem, type ProblemBody, type ProblemCode } from '#contract/problem.ts';
import { isDatabaseAway } from '#domain/db/is-database-away.ts';
import { StoreAway } from '#domain/files/store-away.ts';
import { countedNetworksOf } from '#domain/networks/counted-networks.ts';
import { isLoopbackAddress } from '#domain/signin/is-loopback.ts';
import { errorCodeOf } from '#domain/system/error-code.ts';
import type { Log } from '#domain/system/log.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { writeNotSignedInPage } from '../sign-in-window/window-page.ts';
import { presentProblem } from '../video-service/video-service-problem.ts';
import { refuseProxies } from './access/practice-visitor.ts';
import { refuseForeignHosts } from './allowed-hosts.ts';
import { refuseForeignOrigins } from './own-origin.ts';
import { limitRates, refusedAfterMs } from './rate-limits.ts';
import { isOfVideoService, routeOf } from './route-of.ts';
import { makeSecurityHeaders, setSecurityHeaders } from './security-headers.ts';

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
    requestTimeout: serverLimits.fileComesWithinMs,
    keepAliveTimeout: serverLimits.idleConnectionMaxMs,
    // Node looks once in so long who is over their time: a request's headers end within ten seconds in all.
    // One that names no host is refused below, in words.
    http: { headersTimeout: serverLimits.headersComeWithinMs, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    bodyLimit: serverLimits.bodyMaxBytes,
    // A path that cannot be read never reaches the hooks, so its answer gets the headers here.
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply);
      onProblem(error, request, reply);
    },
    clientErrorHandler: answerUnreadable(config),
    // The video service's paths are written in either case by its clients.
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true },
  });
  boundConnections(app.server, config);
  // A form of another site can send text/plain without asking; nothing here takes it.
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler(onProblem);
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply);
    boundDuration(request);
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

/**
 * A request comes within a minute; one that carries a file has no more to do than to go on coming, each minute anew. The connection's own count is asked: whoever
 * listens to what comes over it has each piece held in memory twice.
 */
function boundDuration(request: FastifyRequest): void {
  const { raw } = request;
  if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return;
  const { socket } = raw;
  let cameBytes = routeOf(request)?.carriesFile === true ? socket.bytesRead : Number.POSITIVE_INFINITY;
  const timer = setTimeout(() => {
    if (socket.bytesRead <= cameBytes) return void raw.destroy();
    cameBytes = socket.bytesRead;
    timer.refresh();
  }, serverLimits.requestComesWithinMs).unref();
  raw.once('close', () => clearTimeout(timer));
}

const deflate = promisify(gzip);
const worthItFrom = 1_400;

/** Packs long JSON for callers on other machines: a page of results shrinks to a tenth. On this machine bytes cost nothing. */
async function compressJson(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const type = String(reply.getHeader('content-type') ?? '');
  if (typeof payload !== 'string' || payload.length < worthItFrom || !type.includes('json') || isLoopbackAddress(request.ip))
    return payload;
  reply.header('vary', 'accept-encoding');
  if (!/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(request.headers['accept-encoding'] ?? '')) return payload;
  reply.header('content-encoding', 'gzip');
  return await deflate(payload, { level: 4 });
}

/**
 * Closes at once what is more than this server keeps open, in all and of one network: else one network could take every connection
 * by opening them and saying nothing. A trusted proxy has no bound of its own, for it speaks for everybody.
 */
function boundConnections(server: Server, { connectionsPerNetwork, trustedProxies }: Config): void {
  const isProxy = addressesOf(trustedProxies);
  const open = new Map<string, number>();
  server.maxConnections = serverLimits.connectionsMax;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isProxy(address)) return;
    const networks = countedNetworksOf(address);
    if (networks.some(({ name, shares }) => (open.get(name) ?? 0) >= connectionsPerNetwork * shares)) {
      socket.destroy();
      return;
    }
    for (const { name } of networks) open.set(name, (open.get(name) ?? 0) + 1);
    socket.once('close', () => {
      for (const { name } of networks) {
        const left = (open.get(name) ?? 0) - 1;
        if (left > 0) open.set(name, left);
        else open.delete(name);
      }
    });
  });
}

/** Names that stand for several networks where proxies are listed. */
const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Whether an address is one of these; an entry that cannot be read here is none. */
function addressesOf(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries.flatMap((one) => namedNetworks[one] ?? [one])) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    if (family === 0) continue;
    list.addSubnet(address, Number(bits ?? (family === 6 ? 128 : 32)), family === 6 ? 'ipv6' : 'ipv4');
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

const problemType = 'application/problem+json; charset=utf-8';

/**
 * Answers what node could not read as a request, and so comes neither to hooks nor to routes. Which service its address was of
 * nobody knows: it is told in the shape of our own.
 */
function answerUnreadable(config: Config) {
  const headersOf = makeSecurityHeaders(config);
  return ({ code = '' }: NodeJS.ErrnoException, socket: Socket): void => {
    const underWay: unknown = Reflect.get(socket, '_httpMessage');
    const isAnswered = underWay instanceof ServerResponse && underWay.headersSent;
    // Between the bytes of an answer that is on its way there is no room for another.
    if (code !== 'ECONNRESET' && socket.writable && !isAnswered) {
      const problem = unreadable[code] ?? new Problem('invalid_parameter', notRead);
      const id = randomUUID();
      const body = JSON.stringify(toProblemBody(problem, id));
      const about = { 'content-type': problemType, 'content-length': Buffer.byteLength(body), connection: 'close' };
      const headers = Object.entries({ ...headersOf({ id, url: '' }), ...about }).map(([name, value]) => `${name}: ${value}`);
      socket.write([`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...headers, '', body].join('\r\n'));
    }
    socket.destroy();
  };
}

const notRead = 'The request could not be read.';

/** What node says of a request that it does not read to its end. */
const unreadable: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: new Problem(
    'headers_too_large',
    'The address and the headers of this request are longer than 16 kB together. Shorten the address, or delete the cookies of this site.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new Problem('request_too_slow', 'The request did not come to its end in time. Send it again.'),
};

/** The one place where a thrown error becomes an answer: what a caller can act on as it is, anything else logged and neutral. */
function answerProblems(log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = toProblem(error, request);
    logFault(log, problem, request);
    if (reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
    reply.code(problem.status).header('cache-control', 'no-store');
    // A range past the end is told where that is.
    if (problem.status !== 416) reply.removeHeader('content-range');
    if (isLookedAt(request)) reply.type('text/html; charset=utf-8').send(writeNotSignedInPage(problem.message));
    else if (isOfVideoService(request)) reply.type('application/json; charset=utf-8').send(presentProblem(problem, request.id));
    else reply.type(problemType).send(JSON.stringify(toProblemBody(problem, request.id)));
  };
}

/** Whether a person would read the answer. */
function isLookedAt(request: FastifyRequest): boolean {
  return routeOf(request)?.surface === 'sign-in' && /text\/html/.test(request.headers.accept ?? '');
}

/** What is away comes back by itself and needs no stack; a bug needs all there is. */
function logFault(log: Log, problem: Problem, { id, routeOptions }: FastifyRequest): void {
  const where = { request: id, route: routeOptions.url };
  if (problem.code === 'internal') log.error('request failed', { ...where, error: problem.cause ?? problem });
  else if (problem.status >= 500)
    log.warn('request put off', { ...where, reason: problem.cause instanceof Error ? problem.cause.message : problem.message });
}

function toProblemBody(problem: Problem, requestId: string): ProblemBody {
  const { code, status, message, parameter } = problem;
  const about = parameter === undefined ? {} : { parameter };
  return {
    type: `urn:rushes:problem:${code}`,
    title: code.replaceAll('_', ' '),
    status,
    detail: message,
    code,
    ...about,
    instance: requestId,
  };
}

/** Statuses with which Fastify refuses a request before it reaches a route of ours. */
const frameworkCodes: Record<number, ProblemCode> = {
  400: 'invalid_parameter',
  // Of a file outside the folder that files are given from.
  403: 'not_found',
  404: 'not_found',
  413: 'file_too_large',
  414: 'invalid_parameter',
  415: 'unsupported_media_type',
  416: 'range_not_satisfiable',
  429: 'rate_limited',
  503: 'unavailable',
};

function toProblem(error: unknown, { params }: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof z.ZodError) return new Problem('internal', sorry, { cause: error });
  // PostgreSQL keeps every character but NUL: nothing here is called so.
  if (errorCodeOf(error) === '22021')
    return Object.values(Object(params)).some((value) => String(value).includes('\0'))
      ? new Problem('not_found', 'There is nothing at this address.')
      : new Problem('invalid_parameter', 'A text contains a NUL character. Remove it.');
  const statusCode = statusOf(error);
  if (isDatabaseAway(error)) return new Problem('unavailable', busy, { retryAfterSeconds: 2, cause: error });
  if (error instanceof StoreAway) return new Problem('unavailable', mediaAway, { retryAfterSeconds: 5, cause: error });
  const known = statusCode < 500 || statusCode === 503 ? frameworkCodes[statusCode] : undefined;
  if (!known) return new Problem('internal', sorry, { cause: error });
  if (errorCodeOf(error) === 'FST_ERR_BAD_URL') return new Problem('invalid_encoding', 'The address contains an invalid escape.');
  return new Problem(known, statusCode === 415 ? 'Send the body as application/json.' : notRead);
}

/** The status that Fastify gives an error of its own. */
function statusOf(error: unknown): number {
  return error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
}

const busy = 'The archive is busy or restarting. Try again in a moment.';
const mediaAway = 'The media store does not answer. Search still works; try this again in a moment.';
const sorry = 'Something went wrong. Try again. If it happens again, give the administrator the request id.';
