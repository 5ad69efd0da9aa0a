import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

const nothingForeign =
  "default-src 'none'; script-src 'self'; img-src 'self' blob:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'";
const media = "media-src 'self' blob:; worker-src 'self' blob:; frame-ancestors 'self'";

/** Content policies of the site's pages and of the two documents that stand in its frames. */
export const contentPolicies = {
  app: `${nothingForeign}; style-src 'self'; frame-src 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
  insights: `${nothingForeign}; style-src 'self'; ${media}; require-trusted-types-for 'script'`,
  // It compiles the one module that it brings along, and does nothing else.
  hashWorker: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
  // The player's controls build the styles of their shadow trees in place.
  player: `${nothingForeign}; style-src 'self' 'unsafe-inline'; ${media}`,
} as const;

/** The file that hashes what is sent: a worker's policy is that of its own script. */
const isHashWorker = /^\/assets\/hash-worker-[\w-]+\.js$/;

/** The policy of the site's pages: they ask and frame other services where the archive is set to them, and nobody else. */
function appPolicyFor({ videoServiceBase, widgetBase, functionsBase }: Config['videoService']): string {
  const originOf = (base: string) => (base === '' ? '' : ` ${new URL(base).origin}`);
  const service = originOf(videoServiceBase);
  return contentPolicies.app
    .replace("connect-src 'self'", `connect-src 'self'${service}${originOf(functionsBase)}`)
    .replace("img-src 'self'", `img-src 'self'${service}`)
    .replace("frame-src 'self'", `frame-src 'self'${originOf(widgetBase)}`);
}

/** Sets on every answer what every answer carries; a route may say otherwise about caching, policy and referrer. */
export function setSecurityHeaders(config: Config): (request: FastifyRequest, reply: FastifyReply) => void {
  const headersOf = makeSecurityHeaders(config);
  return (request, reply) => void reply.headers(headersOf(request));
}

/** What every answer carries, to a request of this id and address. */
export function makeSecurityHeaders(config: Config): (request: { readonly id: string; readonly url: string }) => Record<string, string> {
  const pages = appPolicyFor(config.videoService);
  const overTls: Record<string, string> = config.publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {};
  return ({ id, url }) => ({
    'x-ms-request-id': id,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'content-security-policy': isHashWorker.test(url) ? contentPolicies.hashWorker : pages,
    'cache-control': 'no-store',
    ...overTls,
  });
}
