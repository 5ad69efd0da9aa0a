import type { FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import type { Config } from '../config.ts';
import { isThisMachine } from './allowed-hosts.ts';

const readingMethods = ['GET', 'HEAD', 'OPTIONS'];

/** Refuses a change that a page of another site asks for in the name of our visitor. */
export function refuseForeignOrigins(config: Config): (request: FastifyRequest) => void {
  return (request) => {
    if (readingMethods.includes(request.method)) return;
    const { origin, cookie, host, 'sec-fetch-site': site } = request.headers;
    if (origin === config.publicUrl || (isThisMachine(host) && origin === `http://${host}`)) return;
    if (origin === undefined && (site === 'same-origin' || (site === undefined && cookie === undefined))) return;
    throw new Problem('forbidden', 'Changes are only accepted from this archive’s own pages.');
  };
}

/** Refuses to read for a page of another site. It could not see the answer; it need not even cause one. */
export function refuseOtherSites({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new Problem('forbidden', 'This is only available to this archive’s own pages.');
}
