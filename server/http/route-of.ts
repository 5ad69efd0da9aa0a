import type { FastifyRequest } from 'fastify';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';

const byAddress: ReadonlyMap<string, Route> = new Map(Object.values(routes).map((route) => [`${route.method} ${route.path}`, route]));

/** The row of the route table that a request came to; undefined for pages, built files and what is not there. */
export function routeOf({ method, routeOptions: { url } }: FastifyRequest): Route | undefined {
  // What is read answers HEAD by itself.
  return byAddress.get(`${method} ${url}`) ?? (method === 'HEAD' ? byAddress.get(`GET ${url}`) : undefined);
}
