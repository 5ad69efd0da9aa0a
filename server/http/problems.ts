import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Problem, type ProblemBody, type ProblemCode } from '#contract/problem.ts';
import { errorCode } from '#domain/db/error-code.ts';
import { isDatabaseAway } from '#domain/db/is-database-away.ts';
import type { Log } from '../log.ts';
import { presentProblem } from '../video-service/video-service-problem.ts';
import { routeOf } from './route-of.ts';

/** The one place where a thrown error becomes an answer: what a caller can act on as it is, anything else logged and neutral. */
export function answerProblems(log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = asProblem(error);
    logFault(log, problem, request);
    if (reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
    reply.code(problem.status).header('cache-control', 'no-store').removeHeader('content-range');
    if (routeOf(request)?.surface === 'video-service')
      reply.type('application/json; charset=utf-8').send(presentProblem(problem, request.id));
    else reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(problemBody(problem, request.id)));
  };
}

/** What is away comes back by itself and needs no stack; a bug needs all there is. */
function logFault(log: Log, problem: Problem, { id, routeOptions }: FastifyRequest): void {
  const where = { request: id, route: routeOptions.url };
  if (problem.code === 'internal') log.error('request failed', { ...where, error: problem.cause ?? problem });
  else if (problem.status >= 500)
    log.warn('request put off', { ...where, reason: problem.cause instanceof Error ? problem.cause.message : problem.message });
}

function problemBody(problem: Problem, requestId: string): ProblemBody {
  const { code, status, message } = problem;
  return { type: `urn:rushes:problem:${code}`, title: code.replaceAll('_', ' '), status, detail: message, code, instance: requestId };
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

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof z.ZodError) return new Problem('internal', sorry, { cause: error });
  const statusCode = statusOf(error);
  if (isDatabaseAway(error)) return new Problem('unavailable', busy, { retryAfterSeconds: 2, cause: error });
  const known = statusCode < 500 || statusCode === 503 ? frameworkCodes[statusCode] : undefined;
  if (!known) return new Problem('internal', sorry, { cause: error });
  if (errorCode(error) === 'FST_ERR_BAD_URL') return new Problem('invalid_encoding', 'The address holds a broken escape.');
  return new Problem(known, statusCode === 415 ? 'Send the body as application/json.' : 'The request could not be read.');
}

/** The status that Fastify gives an error of its own. */
function statusOf(error: unknown): number {
  return error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
}

const busy = 'The archive is busy or restarting. Try again in a moment.';
const sorry = 'Something went wrong on our side. Try again; if it stays, tell the administrator the request id.';
