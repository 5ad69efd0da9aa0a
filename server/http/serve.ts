/*
 * HTTP and nothing else: a route is put up here, admitted by access/, charged by rate-limits, and its errors become problems.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Endpoint, Output, ParsedInput } from '#contract/endpoints.ts';
import { Problem } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import type { Context } from '../context.ts';
import { admit } from './access/admit.ts';
import type { Admitted } from './access/caller.ts';

/** Where a route is put: the application, and what its handler may need. */
export interface RouteHost {
  readonly app: FastifyInstance;
  readonly context: Context;
}

export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type Handler<E extends Endpoint> = (input: ParsedInput<E>, caller: Admitted, exchange: Exchange) => Promise<Output<E>> | Output<E>;

/** Registers one row with its schemas: asks for its need, then parses what came in, runs the handler, checks what goes out. */
export function serve<E extends Endpoint>({ app, context }: RouteHost, endpoint: E, handler: Handler<E>): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...allowLargeBody(context, endpoint),
    handler: async (request, reply) => {
      const caller = await admit(context, endpoint.need, request);
      requireJson(request);
      const output = await handler(parseInput(endpoint, request), caller, { request, reply });
      if (reply.statusCode === 204) return reply.send();
      const answer = endpoint.output.parse(output);
      // A text by itself is a value of JSON too, in quotes.
      return reply.type('application/json; charset=utf-8').send(typeof answer === 'string' ? JSON.stringify(answer) : answer);
    },
  });
}

type RawHandler = (caller: Admitted, exchange: Exchange) => Promise<FastifyReply> | FastifyReply;

/** Registers a route that answers bytes or a document; its need is asked for in the same way. */
export function serveRaw({ app, context }: RouteHost, route: Route, handler: RawHandler): void {
  app.route({
    method: route.method,
    url: route.path,
    ...allowLargeBody(context, route),
    handler: async (request, reply) => handler(await admit(context, route.need, request), { request, reply }),
  });
}

/** To take a large body apart holds everybody else up: it is read of nobody who may not send it. */
function allowLargeBody(context: Context, { bodyMaxBytes, need }: Route) {
  if (bodyMaxBytes === undefined) return {};
  return { bodyLimit: bodyMaxBytes, onRequest: async (request: FastifyRequest) => void (await admit(context, need, request)) };
}

/** A page of another site can send a form's types without asking; JSON it cannot. */
function requireJson({ headers }: FastifyRequest): void {
  const type = headers['content-type'];
  if (type === undefined || /^application\/json(; *charset="?utf-8"?)?$/i.test(type)) return;
  throw new Problem('unsupported_media_type', 'Send the body as application/json, in UTF-8.');
}

/** Path, body and query in one object; a name in the path can be said nowhere else. */
function parseInput<E extends Endpoint>(endpoint: E, request: FastifyRequest): ParsedInput<E> {
  // The row's own schema made it; the compiler does not follow that through the generic row.
  return parseFields(endpoint.input, {
    ...fieldsOf(request.query),
    ...fieldsOf(request.body),
    ...fieldsOf(request.params),
  }) as ParsedInput<E>;
}

/** What the address of a raw route says, its body being something else than fields. Throws `invalid_parameter`, by the name of what is wrong. */
export function parseAddress<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  return parseFields(schema, { ...fieldsOf(request.query), ...fieldsOf(request.params) });
}

function parseFields<Schema extends z.ZodType>(schema: Schema, said: object): z.output<Schema> {
  const parsed = schema.safeParse(said);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const isTooLong = issue?.code === 'custom' && issue.params?.code === 'query_too_long';
  const parameter = issue?.path.join('.') || undefined;
  throw new Problem(isTooLong ? 'query_too_long' : 'invalid_parameter', `${parameter ?? 'The request'} ${issue?.message}.`, {
    ...(parameter !== undefined && { parameter }),
  });
}

function fieldsOf(value: unknown): object {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
}
