import type { FastifyRequest } from 'fastify';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';

const byAddress: ReadonlyMap<string, Route> = new Map(Object.values(routes).map((route) => [`${route.method} ${route.path}`, route]));

/** Where the video service has its calls, and whoever spoke to it elsewhere looks for more of them than are answered here. */
const serviceAddress = /^\/(?:auth\/[^/]+\/(?:accounts|users)(?:\/|$)|[^/]+\/accounts\/[^/]|partner\/breakdowns(?:\/|$))/i;

/** Whether a request is one of the video service, answered here or not: it is told of errors in the service's shape. */
export function isOfVideoService(request: FastifyRequest): boolean {
  const route = routeOf(request);
  return route ? route.surface === 'video-service' : serviceAddress.test(request.url.split(/[?#]/, 1)[0] ?? '');
}

/** The row of the route table that a request came to; undefined for pages, built files and what is not there. */
export function routeOf({ method, routeOptions: { url } }: FastifyRequest): Route | undefined {
  // What is read answers HEAD by itself.
  return byAddress.get(`${method} ${url}`) ?? (method === 'HEAD' ? byAddress.get(`GET ${url}`) : undefined);
}
