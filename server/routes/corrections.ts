import { endpoints } from '#contract/endpoints.ts';
import { findBrandLists, replaceBrandList } from '#domain/brands/kept-brand-list.ts';
import { faceMarkOf } from '#domain/moments/faces.ts';
import { makeFaceThumbnailIds } from '#domain/tokens/thumbnail-ids.ts';
import { correctFact, correctName, findFacts, findNames, previewDetails } from '#domain/videos/corrections/correct-fact.ts';
import { correctLines, listLines, replaceTranscript } from '#domain/videos/corrections/correct-lines.ts';
import { listCorrections, undoCorrection } from '#domain/videos/corrections/undo-correction.ts';
import { findRevision } from '#domain/videos/desk/desk-films.ts';
import { choosePoster, drawChosenPoster, redrawTitle } from '#domain/videos/desk/poster.ts';
import { requireKnownVideo } from '#domain/videos/find-videos.ts';
import { type Forgetting, forgetPerson } from '#domain/videos/people/forget-person.ts';
import { findFaces, mergeFaces, namePerson } from '#domain/videos/people/name-person.ts';
import { proposeNames } from '#domain/videos/people/propose-names.ts';
import { learnNamedFaces } from '#domain/videos/people/recognition.ts';
import { runStepForAll, selectEveryFilm } from '#domain/videos/steps.ts';
import { byOf, sessionOf } from '../http/access/session-of.ts';
import { type RouteHost, serve } from '../http/serve.ts';
import { withJobs } from '../with-jobs.ts';

/** What editors change of what is known of a film, and take back. */
export function addCorrectionRoutes(host: RouteHost): void {
  const { pool } = host.context;

  serve(host, endpoints.listCorrections, async ({ id }) => {
    await requireKnownVideo(pool, id);
    const [facts, names] = [await findFacts(pool, id), await findNames(pool, id)];
    return { facts, names, corrections: await listCorrections(pool, id) };
  });

  serve(host, endpoints.correctFact, async ({ id, ...change }, caller, { request }) => {
    await requireKnownVideo(pool, id);
    const corrected = await correctFact(pool, { videoId: id, ...change, ...byOf(caller, request) });
    if (change.fact === 'title') await redrawTitle(host.context, id);
    return corrected;
  });

  serve(host, endpoints.correctName, async ({ id, ...change }, caller, { request }) => {
    await requireKnownVideo(pool, id);
    return await correctName(pool, { videoId: id, ...change, ...byOf(caller, request) });
  });

  serve(host, endpoints.listLines, async ({ id }) => {
    await requireKnownVideo(pool, id);
    return { lines: await listLines(pool, id) };
  });

  serve(host, endpoints.correctLines, async ({ id, changes }, caller, { request }) => {
    await requireKnownVideo(pool, id);
    const correction = await correctLines(pool, { videoId: id, changes, ...byOf(caller, request) });
    return { lines: await listLines(pool, id), correction };
  });

  serve(host, endpoints.previewDetails, async ({ by, rows }) => ({ rows: await previewDetails(pool, by, rows) }));

  serve(host, endpoints.replaceLines, async ({ id, file }, caller, { request }) => {
    await requireKnownVideo(pool, id);
    const by = byOf(caller, request);
    const { remarks } = await replaceTranscript(pool, { videoId: id, bytes: Buffer.from(file, 'base64'), ...by });
    return { lines: await listLines(pool, id), remarks };
  });

  serve(host, endpoints.undoCorrection, async ({ id, correction }, caller, { request }) => {
    await requireKnownVideo(pool, id);
    const { name, kind } = await undoCorrection(pool, { videoId: id, correction, ...byOf(caller, request) });
    if (kind === 'Title') await redrawTitle(host.context, id);
    // Of two posters that were chosen, the one before.
    await withJobs(host.context, (queue) => drawChosenPoster({ pool, queue }, id));
    // A face may have a name again that it had lost.
    if (kind === 'Person') await withJobs(host.context, (queue) => learnNamedFaces({ pool, queue }, id));
    return { name };
  });

  serve(host, endpoints.filmRevision, async ({ id }, caller) => {
    await requireKnownVideo(pool, id);
    return await findRevision(pool, { videoId: id, uid: sessionOf(caller).user.uid });
  });

  serve(host, endpoints.choosePoster, async ({ id, atMs }, caller, { request, reply }) => {
    await requireKnownVideo(pool, id);
    await withJobs(host.context, (queue) => choosePoster({ pool, queue }, { videoId: id, atMs, ...byOf(caller, request) }));
    reply.code(202);
    return {};
  });
}

/** Whose faces are seen in a film, as editors say it; and how administrators have somebody forgotten. */
export function addPeopleRoutes(host: RouteHost): void {
  const { pool, secrets } = host.context;

  serve(host, endpoints.listFaces, async ({ id }, { callerId }) => {
    const video = await requireKnownVideo(pool, id);
    const pictureOf = makeFaceThumbnailIds(secrets, { videoId: id, caller: callerId });
    const faces = await findFaces(pool, id);
    const proposed = await proposeNames(pool, id, faces);
    const known = new Set(faces.map(({ name }) => name));
    return {
      others: video.people.filter((name) => !known.has(name)),
      faces: faces.map(({ name, isNamed, tracks, ...face }) => {
        const mark = faceMarkOf(face);
        const startMs = tracks[0]?.startMs ?? face.clearest.atMs;
        const proposals = proposed.get(mark) ?? [];
        return {
          mark,
          name,
          isNamed,
          thumbnailId: pictureOf(mark),
          startMs,
          appearancesMs: tracks.map((track) => track.startMs),
          proposals,
        };
      }),
    };
  });

  serve(host, endpoints.namePerson, async ({ id, ...naming }, caller, { request }) => {
    await requireKnownVideo(pool, id);
    const name = await namePerson(pool, { videoId: id, ...naming, ...byOf(caller, request) });
    await withJobs(host.context, (queue) => learnNamedFaces({ pool, queue }, id));
    return { name };
  });

  const forget = async (forgetting: Forgetting) => {
    // Searches that wait in memory would be written down after this.
    await host.context.unfound.write();
    return await forgetPerson(host.context, forgetting);
  };
  serve(host, endpoints.mergeFaces, async ({ id, ...merging }, caller, { request }) => {
    await requireKnownVideo(pool, id);
    return { correction: await mergeFaces(pool, { videoId: id, ...merging, ...byOf(caller, request) }) };
  });

  serve(host, endpoints.forgetPerson, ({ id, ...person }, caller, { request }) =>
    forget({ videoId: id, ...person, ...byOf(caller, request) }),
  );
  serve(host, endpoints.forgetName, ({ id, ...person }, caller, { request }) =>
    forget({ videoId: id, mark: null, ...person, ...byOf(caller, request) }),
  );
}

/** The brands that films are looked through for. */
export function addBrandRoutes(host: RouteHost): void {
  const { pool } = host.context;

  serve(host, endpoints.brandList, () => findBrandLists(pool));

  serve(host, endpoints.replaceBrands, async (asked, caller, { request, reply }) => {
    const kept = await replaceBrandList(pool, { ...asked, ...byOf(caller, request) });
    const films = await withJobs(host.context, (queue) =>
      runStepForAll({ pool, queue }, { step: 'brands', behind: selectEveryFilm(), priority: -1 }),
    );
    reply.code(202);
    return { ...kept, films };
  });
}
