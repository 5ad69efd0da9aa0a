import { statfs } from 'node:fs/promises';
import { endpoints } from '#contract/endpoints.ts';
import { routes } from '#contract/routes.ts';
import { readBackupState } from '#domain/backup/backup-state.ts';
import { answersQueries } from '#domain/db/database.ts';
import { countFoundNothing } from '#domain/unfound/unfound-queries.ts';
import { countWaiting } from '#domain/users/users.ts';
import { countFailed } from '#domain/videos/counts.ts';
import type { Context } from '../context.ts';
import { type Site, serve } from '../http/serve.ts';

/** `/healthz`: the process lives. `/readyz`: it can work. Neither says more than that. */
export function healthRoutes({ app, context }: Site): void {
  // Without asking who is there: that would ask the database.
  app.get(routes.healthz.path, (_request, reply) => reply.type('text/plain').send('ok\n'));
  app.get(routes.readyz.path, async (_request, reply) => {
    const ready = await isReady(context);
    return reply
      .code(ready ? 200 : 503)
      .type('text/plain')
      .send(ready ? 'ready\n' : 'not ready\n');
  });
}

async function isReady({ pool, folder, config, search, azure }: Context): Promise<boolean> {
  const checks = await Promise.all([
    answersQueries(pool),
    // Whether another service answers is nothing that a start anew of this one would mend.
    azure !== null ||
      search.index.batch().then(
        () => true,
        () => false,
      ),
    statfs(folder.root).then(
      (disk) => disk.bavail * disk.bsize >= config.diskReserveBytes,
      () => false,
    ),
  ]);
  return checks.every(Boolean);
}

/** How the archive stands, for administrators: with its backups, and with what waits for them. */
export function standingRoutes(site: Site): void {
  const { pool, config } = site.context;

  serve(site, endpoints.backupState, () => readBackupState(pool, { isPublic: !config.practice }));

  serve(site, endpoints.attention, async () => {
    const [waiting, failedFilms, foundNothing] = await Promise.all([countWaiting(pool), countFailed(pool), countFoundNothing(pool)]);
    return { waiting, failedFilms, foundNothing };
  });
}
