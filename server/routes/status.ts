import { endpoints } from '#contract/endpoints.ts';
import { routes } from '#contract/routes.ts';
import { readBackupState } from '#domain/backup/backup-state.ts';
import { answersQueries } from '#domain/db/database.ts';
import { toIndexCopy } from '#domain/files/index-copy.ts';
import { readIndexState } from '#domain/files/index-state.ts';
import { findFullestDisk, listLocalMedia } from '#domain/files/stage-file.ts';
import { findIndexState } from '#domain/search-index/index-commit.ts';
import { indexFormat } from '#domain/search-index/index-row.ts';
import { countFoundNothing } from '#domain/unfound/unfound-queries.ts';
import { countWaiting } from '#domain/users/users.ts';
import { countFailed } from '#domain/videos/counts.ts';
import { listEngines, readAgain } from '#domain/videos/engines.ts';
import { askForModel, letModelGo, listModels } from '#domain/videos/fetched-models.ts';
import { readRecognition, setRecognition } from '#domain/videos/people/recognition.ts';
import { findRoughSpeech, setRoughSpeech } from '#domain/videos/rough-speech.ts';
import { checkAccess } from '../access-check/check-access.ts';
import type { Context } from '../context.ts';
import { byOf } from '../http/access/session-of.ts';
import { type RouteHost, serve, serveRaw } from '../http/serve.ts';
import type { Outlook } from '../status/look-outside.ts';
import type { Metrics } from '../status/metrics.ts';
import { readStatus } from '../status/read-status.ts';
import { withJobs } from '../with-jobs.ts';

/** How the archive stands, for administrators: as a whole, with its backups, with what waits for them; and who sees what of it. */
export function addStatusRoutes(host: RouteHost, { metrics, outlook }: { metrics: Metrics; outlook: Outlook }): void {
  const { pool, config } = host.context;

  serve(host, endpoints.backupState, () => readBackupState(pool, { isPublic: !config.practice }));

  serve(host, endpoints.attention, async () => {
    const [waiting, failedFilms, foundNothing] = await Promise.all([countWaiting(pool), countFailed(pool), countFoundNothing(pool)]);
    return { waiting, failedFilms, foundNothing };
  });

  serve(host, endpoints.checkAccess, (_input, caller, { request }) => checkAccess(host, byOf(caller, request)));

  serve(host, endpoints.archiveStatus, () => readStatus(host.context, outlook.seen()));

  serveRaw(host, routes.metrics, async (_caller, { reply }) =>
    reply.type(metrics.type).send(await metrics.write(await readStatus(host.context, outlook.seen()))),
  );
}

/** What recognises things in films, and what an administrator has done with it. */
export function addEngineRoutes(host: RouteHost): void {
  const { pool } = host.context;

  serve(host, endpoints.listEngines, async () => {
    const [roughSpeech, recognition] = [await findRoughSpeech(pool), await readRecognition(pool)];
    return { engines: await listEngines(pool), models: await listModels(pool), roughSpeech, recognition };
  });

  serve(host, endpoints.setRecognition, async ({ isOn }, caller, { request }) => {
    return { films: await withJobs(host.context, (queue) => setRecognition({ pool, queue }, { isOn, ...byOf(caller, request) })) };
  });

  serve(host, endpoints.readAgain, async ({ engine }, _caller, { reply }) => {
    const films = await withJobs(host.context, (queue) => readAgain({ pool, queue }, engine));
    reply.code(202);
    return { films };
  });

  serve(host, endpoints.fetchModel, async ({ model }, _caller, { reply }) => {
    await withJobs(host.context, (queue) => askForModel({ pool, queue }, model));
    reply.code(202);
    return {};
  });

  serve(host, endpoints.letModelGo, async ({ model }, _caller, { reply }) => {
    await withJobs(host.context, (queue) => letModelGo({ pool, queue }, model));
    reply.code(202);
    return {};
  });

  serve(host, endpoints.hideRoughSpeech, async (asked, _caller, { reply }) => {
    const films = await withJobs(host.context, (queue) => setRoughSpeech({ pool, queue }, asked));
    reply.code(202);
    return { films };
  });
}

/** `/healthz`: the process lives. `/readyz`: it can work, or in a word why not. Neither says more than that. */
export function addHealthRoutes({ app, context }: RouteHost): void {
  // Without asking who is there: that would ask the database.
  app.get(routes.healthz.path, (_request, reply) => reply.type('text/plain').send('ok\n'));
  app.get(routes.readyz.path, async (_request, reply) => {
    const lacking = await findLacking(context);
    return reply
      .code(lacking === undefined ? 200 : 503)
      .type('text/plain')
      .send(lacking === undefined ? 'ready\n' : `not ready: ${lacking}\n`);
  });
}

async function findLacking(context: Context): Promise<string | undefined> {
  const { pool, folder, config, search, azure } = context;
  const isTrue = (work: Promise<boolean>) => work.catch(() => false);
  const [answers, isIndexHere, hasRoom] = await Promise.all([
    answersQueries(pool),
    // Whether another service answers is nothing that a start anew of this one would mend.
    azure !== null || isTrue(search.index.batch().then(() => hasFollowed(context))),
    isTrue(findFullestDisk([folder.root, ...listLocalMedia(context)]).then(({ freeBytes }) => freeBytes >= config.diskReserveBytes)),
  ]);
  if (!answers) return 'the database does not answer';
  if (!isIndexHere) return 'the search index is still being copied here';
  return hasRoom ? undefined : 'the disk is full';
}

/** Where the index travels, a machine finds nothing before its first copy of it is whole, or while it has that of another version alone. */
async function hasFollowed({ pool, folder, store }: Context): Promise<boolean> {
  const copy = toIndexCopy({ folder, store });
  if (copy.store === null || (await findIndexState(pool)) === null) return true;
  return (await readIndexState(copy.folder))?.format === indexFormat;
}
