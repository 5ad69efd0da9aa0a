import type { FastifyRequest } from 'fastify';
import type { Visit } from '#domain/signin/create-sign-in.ts';
import type { Context } from '../../context.ts';

/** Where the visitor is, and by what: the archive's own address, or in practice mode the one of this machine's names that was used. */
export function visitOf({ config }: Context, request: FastifyRequest): Visit {
  // In practice mode the host is one of three names: see allowed-hosts.
  const origin = config.practice ? new URL(`http://${request.headers.host}`).origin : config.publicUrl;
  return { origin, userAgent: request.headers['user-agent'] ?? '', from: request.ip };
}
