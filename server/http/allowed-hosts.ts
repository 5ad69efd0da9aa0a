import type { FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { isLoopback } from '#domain/signin/is-loopback.ts';
import type { Config } from '../config.ts';

/**
 * Refuses a request that was addressed to another name: in practice mode everything but this machine,
 * so that no page of another site can reach the archive by pointing its own name here.
 */
export function refuseForeignHosts(config: Config): (request: FastifyRequest) => void {
  const publicHost = new URL(config.publicUrl).hostname.toLowerCase();
  return (request) => {
    const name = hostNameOf(request.headers.host ?? request.headers[':authority']?.toString() ?? '');
    if (isLoopback(name)) return;
    if (!config.practice && (name === publicHost || isHealthCheck(request.url))) return;
    throw new Problem('invalid_parameter', config.practice ? practiceOnly : 'This server answers to its own name only.');
  };
}

/** Whether a `Host` header names this machine. */
export function isThisMachine(host: string | undefined): boolean {
  return isLoopback(hostNameOf(host ?? ''));
}

const practiceOnly = 'This practice archive answers on this machine only, as localhost. Set RUSHES_PUBLIC_URL to open it to others.';

/** Load balancers and what measures ask by the number of the machine. */
function isHealthCheck(url: string): boolean {
  return url === routes.healthz.path || url === routes.readyz.path || url === routes.metrics.path;
}

function hostNameOf(host: string): string {
  // Digits alone make no port.
  if (!URL.canParse(`http://${host}`)) return '';
  return /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase() ?? '';
}
