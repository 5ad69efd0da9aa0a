import { setTimeout as wait } from 'node:timers/promises';
import { endpoints } from '#contract/endpoints.ts';
import { limits, serverLimits } from '#contract/limits.ts';
import { routes } from '#contract/routes.ts';
import type { Db } from '#domain/db/database.ts';
import { writeBehind } from '#domain/db/write-behind.ts';
import { previewExistingWork, takeExistingWork } from '#domain/existing-work/existing-work.ts';
import { findFullestDisk, listLocalMedia } from '#domain/files/stage-file.ts';
import { type FinishedUpload, finishUpload } from '#domain/footage/finish-upload.ts';
import { measureQuotaLeft } from '#domain/footage/originals-quota.ts';
import { findSameFootage, listUnfinished, receivedOf, unfinishedOf } from '#domain/footage/uploads.ts';
import { listLeftOut } from '#domain/footage/watched-files.ts';
import { requireStillPermits } from '#domain/signin/session-permits.ts';
import { listFilmsUnderWay } from '#domain/videos/desk/desk-films.ts';
import { byOf, sessionOf } from '../http/access/session-of.ts';
import { limitPerUser } from '../http/at-once-per-user.ts';
import { type RouteHost, serve, serveRaw } from '../http/serve.ts';
import { createTusServer } from '../http/tus-server.ts';
import { withJobs } from '../with-jobs.ts';

/** How footage comes in from a browser: sent piece by piece, compared as a whole, then a film like any other. */
export async function addUploadRoutes(host: RouteHost): Promise<void> {
  listRoutes(host);
  finishRoute(host);
  addExistingWorkRoutes(host);
  await host.app.register((app, _options, done) => {
    // Bytes go to the disk as they come; nobody else here takes any.
    app.addContentTypeParser('application/offset+octet-stream', (_request, payload, parsed) => parsed(null, payload));
    sendRoutes({ ...host, app });
    done();
  });
}

function sendRoutes(host: RouteHost): void {
  const speak = createTusServer(host.context, { path: routes.beginUpload.path });
  const limited = limitPerUser(limits.uploadsAtOncePerUser);
  for (const route of [routes.uploadOptions, routes.beginUpload, routes.uploadOffset, routes.cancelUpload])
    serveRaw(host, route, (caller, exchange) => speak({ ...exchange, userId: sessionOf(caller).user.uid }));

  serveRaw(host, routes.sendUpload, async (caller, exchange) => {
    const userId = sessionOf(caller).user.uid;
    return await limited(userId, () => speak({ ...exchange, userId }));
  });
}

function listRoutes(host: RouteHost): void {
  const { pool, folder, store, config } = host.context;

  serve(host, endpoints.incoming, async ({ films: filmsMax }, caller) => {
    const { uid } = sessionOf(caller).user;
    const [uploads, unfinished, { films, counts }, leftOut, left, free] = await Promise.all([
      listUnfinished(pool, uid),
      unfinishedOf(pool, uid),
      listFilmsUnderWay(pool, filmsMax),
      listLeftOut(pool),
      measureQuotaLeft(pool, config.quota, uid),
      findFullestDisk([folder.root, ...listLocalMedia({ folder, store })]),
    ]);
    const received = new Map<string, number | null>();
    const asking = writeBehind({ atOnce: askedAtOnce });
    for (const upload of uploads) await asking.begin(async () => void received.set(upload.id, await receivedOf({ folder, store }, upload)));
    await asking.end();
    return {
      limits: {
        fileMaxBytes: config.uploads.fileMaxBytes,
        quotaLeftBytes: Math.max(0, config.uploads.unfinishedMaxBytes - unfinished.ownBytes),
        originalsLeftBytes: { archive: floorAtZero(left.archiveBytes), own: floorAtZero(left.ownBytes) },
        freeBytes: Math.max(0, free.freeBytes - config.diskReserveBytes),
      },
      unfinished: uploads.flatMap(({ id, fileName, sizeBytes, ends, replaces }) => {
        const bytes = received.get(id) ?? null;
        return bytes === null ? [] : [{ id, fileName, sizeBytes, ends, replaces, receivedBytes: bytes }];
      }),
      films,
      counts,
      leftOut,
    };
  });

  serve(host, endpoints.sameFootage, async (file) => ({ video: (await findSameFootage({ pool, store }, file)) ?? null }));
}

/** A page asks every few seconds, and where they lie in a store each is a list of its own. */
const askedAtOnce = 8;

function floorAtZero(bytes: number | null): number | null {
  return bytes === null ? null : Math.max(0, bytes);
}

function finishRoute(host: RouteHost): void {
  const { pool, folder, store, uploadHashes, config } = host.context;
  const underWay = new Map<string, Promise<FinishedUpload | undefined>>();
  const finish = (finishing: Parameters<typeof finishUpload>[1]) =>
    withJobs(host.context, (queue) =>
      finishUpload({ pool, folder, store, uploadHashes, queue, reserveBytes: config.diskReserveBytes }, finishing),
    );

  serve(host, endpoints.finishUpload, async ({ upload, sha256, sidecars }, caller, { request, reply }) => {
    const { user, sid } = sessionOf(caller);
    const userId = user.uid;
    const name = `${userId} ${upload}`;
    let finishing = underWay.get(name);
    if (!finishing && underWay.size < limits.uploadsFinishedAtOnce) {
      const requireStill = (db: Db) => requireStillPermits(db, sid, 'edit');
      finishing = finish({ id: upload, userId, requireStill, sha256, sidecars, from: request.ip }).finally(() => underWay.delete(name));
      underWay.set(name, finishing);
    }
    const added = await Promise.race([finishing, wait(serverLimits.finishedUploadToldWithinMs, undefined, { ref: false })]);
    // What fails after that is said to the next call.
    finishing?.catch(() => {});
    if (added)
      return { state: added.wasKnown ? ('known' as const) : ('added' as const), videoId: added.videoId, remarks: [...added.remarks] };
    reply.code(202);
    return { state: 'checking' as const, videoId: null, remarks: [] };
  });
}

/** Films that were worked on elsewhere, from a file that tells of them. */
function addExistingWorkRoutes(host: RouteHost): void {
  const { pool, store } = host.context;
  // To read one keeps this process busy for a moment.
  const limited = limitPerUser(serverLimits.existingWorkAtOncePerUser);

  serve(host, endpoints.previewExistingWork, async ({ name, file }, caller) =>
    limited(sessionOf(caller).user.uid, () => previewExistingWork(pool, { name, bytes: Buffer.from(file, 'base64') })),
  );

  serve(host, endpoints.takeExistingWork, async ({ name, file }, caller, { request }) => {
    const { uid } = sessionOf(caller).user;
    const bytes = Buffer.from(file, 'base64');
    return await limited(uid, () => takeExistingWork({ pool, store }, { name, bytes, ...byOf(caller, request) }));
  });
}
