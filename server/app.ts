import { availableParallelism } from 'node:os';
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { listenForUserChanges } from '#domain/users/listen-for-user-changes.ts';
import { watchBackups } from './backup-watch.ts';
import type { Context } from './context.ts';
import { forgetViewers } from './http/access/media-access.ts';
import { createFastify } from './http/create-fastify.ts';
import { inTurns } from './http/in-turns.ts';
import type { Site } from './http/serve.ts';
import { liveSessions } from './live/live-sessions.ts';
import { startNotices } from './mail/notices.ts';
import { accountRoutes } from './routes/account.ts';
import { correctionRoutes } from './routes/corrections.ts';
import { embedRoutes } from './routes/embed.ts';
import { feedRoutes } from './routes/feed.ts';
import { backupRoutes, healthRoutes } from './routes/health.ts';
import { mediaRoutes } from './routes/media.ts';
import { openSearchRoutes } from './routes/open-search.ts';
import { pageRoutes } from './routes/pages.ts';
import { avatarRoutes, posterRoutes, thumbnailRoutes } from './routes/pictures.ts';
import { searchRoutes } from './routes/search.ts';
import { sessionEventRoutes, sessionRoutes } from './routes/session.ts';
import { emailSignInRoutes, signInRoutes } from './routes/signin.ts';
import { stepRoutes } from './routes/steps.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { unfoundRoutes } from './routes/unfound.ts';
import { activityRoutes, userRoutes } from './routes/users.ts';
import { videoRoutes } from './routes/videos.ts';

/**
 * One search keeps the processor that it runs on and LanceDB's busy in turn: a few more than there are fill them. To count a whole
 * answer reads a thousand videos: whoever waits for results goes before.
 */
const searchPlaces = { atOnce: availableParallelism() + 2, countsAtOnce: availableParallelism() };

/** The whole application around a context; nothing listens yet. */
export async function buildApp(context: Context, app = createFastify(context)): Promise<FastifyInstance> {
  await app.register(cookie);
  const site: Site = { app, context };
  await pageRoutes(site);
  healthRoutes(site);
  feedRoutes(site);
  const turn = inTurns(searchPlaces);
  openSearchRoutes(site, turn);
  posterRoutes(site);
  sessionRoutes(site);
  const live = liveSessions(context.pool);
  sessionEventRoutes(site, live);
  signInRoutes(site);
  emailSignInRoutes(site);
  tokenRoutes(site);
  userRoutes(site);
  activityRoutes(site);
  accountRoutes(site);
  avatarRoutes(site);
  backupRoutes(site);
  searchRoutes(site, turn);
  unfoundRoutes(site);
  videoRoutes(site);
  stepRoutes(site);
  correctionRoutes(site);
  thumbnailRoutes(site);
  embedRoutes(site);
  mediaRoutes(site);
  const notices = startNotices(context);
  const backups = watchBackups(context);
  const changes = listenForUserChanges(context.pool, (uid) => {
    forgetViewers(context);
    live.heard(uid);
    notices.look();
  });
  // These answers have no end of their own, and closing waits for every answer.
  app.addHook('preClose', async () => live.close());
  app.addHook('onClose', async () => {
    await changes.stop();
    await notices.stop();
    await backups.stop();
    await context.unfound.stop();
    context.mail?.close();
  });
  // Loaded only there: no other archive carries the practice provider in its memory.
  if (context.config.practice) (await import('./practice/practice-routes.ts')).practiceRoutes(site);
  return app;
}
