import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isThisMachine } from '../allowed-hosts.ts';
import { proxyHeaderOf } from './practice-visitor.ts';

/**
 * Whether a program of the operator's asks: with their token, or from this machine by its own name and past no proxy, which would bring
 * everybody in from this machine.
 */
export function isOperatorsProgram({ headers, socket }: FastifyRequest, metricsToken: string | undefined): boolean {
  const given = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (given !== undefined) return metricsToken !== undefined && isSame(given, metricsToken);
  return proxyHeaderOf(headers) === undefined && isThisMachine(headers.host) && /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
