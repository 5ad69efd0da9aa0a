/*
 * The web process. run starts it, config reads its settings, context holds what routes need; this puts all routes together.
 * A request goes http/ -> routes/ -> domain/, its answer through video-service/.
 */
import { availableParallelism } from 'node:os';
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { readBackupState } from '#domain/backup/backup-state.ts';
import { listLocalMedia } from '#domain/files/stage-file.ts';
import { sweepLeftovers } from '#domain/files/sweep.ts';
import { finishCutOff } from '#domain/footage/finish-upload.ts';
import { sweepUploads } from '#domain/footage/uploads.ts';
import { sweepSignIn } from '#domain/signin/sessions.ts';
import { whileChecking } from '#domain/status/canary.ts';
import { keepTelling } from '#domain/status/processes.ts';
import { listenForRights } from '#domain/users/listen-for-rights.ts';
import { forgetViews } from '#domain/videos/counts.ts';
import { findScratchInUse } from '#domain/videos/record-step.ts';
import type { Context } from './context.ts';
import { forgetViewers } from './http/access/media-access.ts';
import { createFastify } from './http/create-fastify.ts';
import { openSearchQueue, type SearchQueue } from './http/search-queue.ts';
import type { RouteHost } from './http/serve.ts';
import { type LiveSessions, openLiveSessions } from './live/live-sessions.ts';
import { startAlerts } from './mail/alerts.ts';
import { startNotices } from './mail/notices.ts';
import { startCallingBack } from './other-servers.ts';
import { addAccountRoutes, addSessionEventRoutes, addSessionRoutes, addTokenRoutes, addVideoTokenRoutes } from './routes/account.ts';
import { addAzureRoutes } from './routes/azure.ts';
import { addBrandRoutes, addCorrectionRoutes, addPeopleRoutes } from './routes/corrections.ts';
import { addFeedRoutes, addOpenSearchRoutes } from './routes/feed.ts';
import { addAvatarRoutes, addMediaRoutes, addPosterRoutes, addThumbnailRoutes } from './routes/media.ts';
import { addEmbedRoutes, addPageRoutes } from './routes/pages.ts';
import { addKeyRoutes, addScriptRoutes } from './routes/scripts.ts';
import { addSearchRoutes, addUnfoundRoutes } from './routes/search.ts';
import { addEmailSignInRoutes, addSignInRoutes } from './routes/signin.ts';
import { addEngineRoutes, addHealthRoutes, addStatusRoutes } from './routes/status.ts';
import { addUploadRoutes } from './routes/uploads.ts';
import { addActivityRoutes, addUserRoutes } from './routes/users.ts';
import { addDeletionRoutes, addFilmRoutes, addStepRoutes, addVideoRoutes, addVisibilityRoutes } from './routes/videos.ts';
import { type Outlook, openOutlook } from './status/look-outside.ts';
import { watchAnswers } from './status/metrics.ts';
import { withJobs } from './with-jobs.ts';

/**
 * One search keeps the processor that it runs on and PostgreSQL's busy by turns: a few more than there are fill them. To count a whole
 * answer reads a thousand videos: whoever waits for results goes before.
 */
const searchPlaces = { atOnce: availableParallelism() + 2, countsAtOnce: availableParallelism() };

/** The whole application around a context; nothing listens yet. */
export async function buildApp(context: Context, app = createFastify(context)): Promise<FastifyInstance> {
  await app.register(cookie);
  const metrics = watchAnswers(app, context.log);
  const host: RouteHost = { app, context };
  await addPageRoutes(host);
  addHealthRoutes(host);
  const inSearchQueue = openSearchQueue(searchPlaces);
  addOpenSearchRoutes(host, inSearchQueue);
  addSessionRoutes(host);
  const live = openLiveSessions(context.pool);
  addSessionEventRoutes(host, live);
  addSignInRoutes(host);
  addEmailSignInRoutes(host);
  addTokenRoutes(host);
  addUserRoutes(host);
  addActivityRoutes(host);
  addAccountRoutes(host);
  addAvatarRoutes(host);
  const outlook = openOutlook(context.config);
  addStatusRoutes(host, { metrics, outlook });
  addUnfoundRoutes(host);
  if (context.azure) addAzureRoutes(host, context.azure);
  else await addOwnServiceRoutes(host, inSearchQueue);
  workInBackground(host, { live, outlook });
  // Loaded only there: no other archive carries the practice provider in its memory.
  if (context.config.practice) (await import('./practice/practice-routes.ts')).addPracticeRoutes(host);
  return app;
}

/** What goes on beside requests for as long as the application lives: mails, calls, sweeps, and telling that this process lives. */
function workInBackground({ app, context }: RouteHost, { live, outlook }: { live: LiveSessions; outlook: Outlook }): void {
  const notices = startNotices(context);
  const alerts = startAlerts(context, outlook);
  const calling = startCallingBack(context);
  const hourly = workEveryHour(context);
  const telling = keepTelling(context.pool, {
    does: 'web',
    dataFolder: context.folder.root,
    media: listLocalMedia(context),
    indexBatch: () => context.search.index.batch(),
  });
  const changes = listenForRights(context.pool, {
    user: (uid) => {
      forgetViewers(context);
      live.heard(uid);
      notices.look();
    },
    film: live.filmTaken,
    secrets: () => void context.readSecretsAgain(),
  });
  // These answers have no end of their own, and closing waits for every answer.
  app.addHook('preClose', async () => live.close());
  app.addHook('onClose', async () => {
    await changes.stop();
    await notices.stop();
    await alerts.stop();
    await calling.stop();
    await hourly.stop();
    await telling.stop();
    await context.unfound.stop();
    context.mail?.close();
  });
}

/** The video service of this archive, and what is done with films that lie here. */
async function addOwnServiceRoutes(host: RouteHost, inSearchQueue: SearchQueue): Promise<void> {
  addFeedRoutes(host);
  addPosterRoutes(host);
  addSearchRoutes(host, inSearchQueue);
  addBrandRoutes(host);
  addVideoTokenRoutes(host);
  addVideoRoutes(host);
  await addUploadRoutes(host);
  addKeyRoutes(host);
  await addScriptRoutes(host);
  addStepRoutes(host);
  addEngineRoutes(host);
  addCorrectionRoutes(host);
  addPeopleRoutes(host);
  addFilmRoutes(host);
  addDeletionRoutes(host);
  addVisibilityRoutes(host);
  addThumbnailRoutes(host);
  addEmbedRoutes(host);
  addMediaRoutes(host);
}

const everyMs = 60 * 60 * 1_000;

/** At the start and every hour: looks how the archive stands with its backups, sweeps what was left half-way, ends uploads that were cut off at their end, logs what an operator has to hear, and forgets what ran out. */
function workEveryHour(context: Context): { stop(): Promise<void> } {
  const work = async () => {
    await logBackupState(context).catch((error: unknown) => context.log.warn('backups not looked at', { error }));
    // A check of access that was killed with its process left a film and people.
    await whileChecking(context, () => Promise.resolve()).catch((error: unknown) => context.log.warn('canaries not removed', { error }));
    await sweepUploads(context)
      .then(async () => sweepLeftovers(context.folder, { inUse: await findScratchInUse(context.pool) }))
      .catch((error: unknown) => context.log.warn('what was left half-way was not swept', { error }));
    await finishCutOff(context, (work) => withJobs(context, work)).catch((error: unknown) =>
      context.log.warn('uploads not finished', { error }),
    );
    await forgetRunOut(context).catch((error: unknown) => context.log.warn('what ran out was not deleted', { error }));
  };
  let working = work();
  const timer = setInterval(() => (working = work()), everyMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await working;
    },
  };
}

/** Deletes what the privacy page says is deleted within the hour: sessions and links that ran out, and who watched what. */
export async function forgetRunOut({ pool }: Pick<Context, 'pool'>): Promise<void> {
  await sweepSignIn(pool);
  await forgetViews(pool);
}

/** Logs a failed or late backup, and that there is none of what needs one. */
export async function logBackupState({ pool, config, log }: Pick<Context, 'pool' | 'config' | 'log'>): Promise<void> {
  const { is, at, lastGoodAt, message } = await readBackupState(pool, { isPublic: !config.practice });
  if (is === 'failed') log.error('the last backup failed', { at, lastGoodAt, message });
  if (is === 'late') log.error('the last backup is more than 48 hours old', { lastGoodAt });
  if (is === 'never') log.warn('this archive was never backed up: npm run backup -- FOLDER');
}
