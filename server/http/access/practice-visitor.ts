import type { FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { isThisMachine } from '../allowed-hosts.ts';

/**
 * Refuses, in practice mode, what a proxy handed on: its visitor may be anybody, while the host that it writes says localhost.
 * Browsers on this machine send none of these headers, and no browser speaks HTTP/1.0, as nginx does unless it is told otherwise.
 */
export function refuseProxies({ raw }: FastifyRequest): void {
  const name = proxyHeaderOf(raw.headers);
  if (name === undefined && raw.httpVersion !== '1.0') return;
  const because = name === undefined ? 'in HTTP/1.0' : `with the header "${name}"`;
  throw new Problem(
    'forbidden',
    `This practice archive answers to this machine only, and the request came ${because}, as from a proxy. Open it without one, or set RUSHES_PUBLIC_URL.`,
  );
}

/** A header by which a request tells that it came past a proxy. */
export function proxyHeaderOf(headers: object): string | undefined {
  return Object.keys(headers).find((header) => /^(forwarded|via|x-real-ip|x-forwarded-.+)$/.test(header));
}

/**
 * Refuses to let somebody in, in practice mode, unless a page of this very archive asks, opened on this machine: behind a proxy that
 * says nothing of itself a browser still tells the address that it sees. Browsers send it with every POST.
 */
export function refuseOtherPages({ headers: { host, origin } }: FastifyRequest): void {
  if (isThisMachine(host) && origin === `http://${host}`) return;
  throw new Problem(
    'forbidden',
    'Practice people sign in from the pages of this archive on this machine only. Open it as localhost, without a proxy, or set RUSHES_PUBLIC_URL.',
  );
}
