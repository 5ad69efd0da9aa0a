import { statfs } from 'node:fs/promises';
import { rawRoutes } from '#contract/raw-routes.ts';
import { answersQueries } from '#domain/db/answers-queries.ts';
import type { Context } from '../context.ts';
import { type Site, serveRaw } from '../http/serve.ts';

/** `/healthz`: the process lives. `/readyz`: it can work. Neither says more than that. */
export function healthRoutes(site: Site): void {
  serveRaw(site, rawRoutes.healthz, (_caller, { reply }) => reply.type('text/plain').send('ok\n'));
  serveRaw(site, rawRoutes.readyz, async (_caller, { reply }) => {
    const ready = await isReady(site.context);
    return reply
      .code(ready ? 200 : 503)
      .type('text/plain')
      .send(ready ? 'ready\n' : 'not ready\n');
  });
}

async function isReady({ pool, folder, config, index }: Context): Promise<boolean> {
  const checks = await Promise.all([
    answersQueries(pool),
    index.batch().then(
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
