import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Context } from './context.ts';
import { refuseForeignHosts } from './http/allowed-hosts.ts';
import { refuseForeignOrigins } from './http/own-origin.ts';
import { answerProblems } from './http/problems.ts';
import { limitRates } from './http/rate-limits.ts';
import { setSecurityHeaders } from './http/security-headers.ts';
import type { Site } from './http/serve.ts';
import { avatarRoutes } from './routes/avatars.ts';
import { embedRoutes } from './routes/embed.ts';
import { healthRoutes } from './routes/health.ts';
import { mediaRoutes } from './routes/media.ts';
import { pageRoutes } from './routes/pages.ts';
import { sessionRoutes } from './routes/session.ts';
import { signInRoutes } from './routes/signin.ts';
import { thumbnailRoutes } from './routes/thumbnails.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { videoRoutes } from './routes/videos.ts';

/** The whole application around a context; nothing listens yet. */
export async function buildApp(context: Context): Promise<FastifyInstance> {
  const app = createFastify(context);
  await app.register(cookie);
  const site: Site = { app, context };
  await pageRoutes(site);
  healthRoutes(site);
  sessionRoutes(site);
  signInRoutes(site);
  tokenRoutes(site);
  avatarRoutes(site);
  videoRoutes(site);
  thumbnailRoutes(site);
  embedRoutes(site);
  mediaRoutes(site);
  // Loaded only there: no other archive carries the practice provider in its memory.
  if (context.config.practice) (await import('./practice/practice-routes.ts')).practiceRoutes(site);
  return app;
}

function createFastify({ config, log }: Context): FastifyInstance {
  const onProblem = answerProblems(log);
  const setHeaders = setSecurityHeaders(config);
  const checkHost = refuseForeignHosts(config);
  const checkOrigin = refuseForeignOrigins(config);
  const checkRate = limitRates(config);
  const app = Fastify({
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    requestTimeout: 60_000,
    keepAliveTimeout: 5_000,
    http: { headersTimeout: 10_000 },
    bodyLimit: 1_048_576,
    // A path that cannot be read never reaches the hooks, so its answer gets the headers here.
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply);
      onProblem(error, request, reply);
    },
    // The video service's paths are written in either case by its clients.
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true },
  });
  // A form of another site can send text/plain without asking; nothing here takes it.
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler(onProblem);
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply);
    checkHost(request);
    checkOrigin(request);
    checkRate(request);
    done();
  });
  return app;
}
