import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { endpoints } from '#contract/endpoints.ts';
import { isFootageName } from '#contract/footage-names.ts';
import { limits, serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { VideoIndex } from '#contract/video-service/answers.ts';
import { IndexPatch, ReplaceTranscriptInput, UploadVideoInput } from '#contract/video-service/input.ts';
import { type Db, inTransaction } from '#domain/db/database.ts';
import { type FileInOne, takeFileInOne } from '#domain/footage/add-footage.ts';
import { faceMarkOf } from '#domain/moments/faces.ts';
import { findMoments } from '#domain/moments/find-moments.ts';
import { requireStillPermits } from '#domain/signin/session-permits.ts';
import { mintAccountToken } from '#domain/tokens/account-token.ts';
import { mintVideoToken } from '#domain/tokens/video-token.ts';
import { addCallback } from '#domain/videos/callbacks.ts';
import { correctFact, findFacts } from '#domain/videos/corrections/correct-fact.ts';
import { replaceTranscript } from '#domain/videos/corrections/correct-lines.ts';
import { deleteFilm } from '#domain/videos/deletions.ts';
import { redrawTitle } from '#domain/videos/desk/poster.ts';
import { findVideos } from '#domain/videos/find-videos.ts';
import { retryFootage } from '#domain/videos/footage.ts';
import { findFaces, namePerson } from '#domain/videos/people/name-person.ts';
import { learnNamedFaces } from '#domain/videos/people/recognition.ts';
import { readFilmAgain } from '#domain/videos/steps.ts';
import { sightOf } from '#domain/videos/visibility.ts';
import type { Config } from '../config.ts';
import { byOf, sessionOf } from '../http/access/session-of.ts';
import { limitPerUser } from '../http/at-once-per-user.ts';
import { parseAddress, type RouteHost, serve, serveRaw } from '../http/serve.ts';
import { fetchFootage, requireAmong } from '../other-servers.ts';
import { listPeople } from '../video-service/list-named.ts';
import { patchIndex } from '../video-service/patch-index.ts';
import { presentVideo } from '../video-service/present-video.ts';
import { readerOf } from '../video-service/reader.ts';
import { requireAccount, requireFilm, requireVideo, VideoPath } from '../video-service/video-path.ts';
import { VideoServiceProblem } from '../video-service/video-service-problem.ts';
import { withJobs } from '../with-jobs.ts';
import { indexOf } from './videos.ts';

/** What scripts change an editor's key for. */
export function addKeyRoutes(host: RouteHost): void {
  const { config, secrets, pool } = host.context;

  serve(host, endpoints.accountTokenByKey, async ({ allowEdit, ...path }, caller) => {
    requireAccount(config, path);
    const { user, sid } = sessionOf(caller);
    return await mintAccountToken(secrets, { caller: user.uid, sid, adminFields: false, mayEdit: allowEdit === 'true' });
  });

  serve(host, endpoints.videoTokenByKey, async ({ allowEdit, id, ...path }, caller) => {
    requireAccount(config, path);
    if (allowEdit === 'true')
      throw new VideoServiceProblem('invalid_parameter', 'UNSUPPORTED', 'A video token can only read. To edit, request an account token.');
    const { user, sid } = sessionOf(caller);
    const video = await requireVideo(pool, id, sightOf(user.roles));
    return await mintVideoToken(secrets, { videoId: video.id, uid: user.uid, sid, authVersion: user.authVersion });
  });
}

/** What editors' scripts do with films, as the video service has it. */
export async function addScriptRoutes(host: RouteHost): Promise<void> {
  const { config, pool, store } = host.context;

  serve(host, endpoints.deleteVideo, async ({ id, ...path }, caller, { request, reply }) => {
    requireAccount(config, path);
    const { name } = await requireFilm(pool, id);
    await deleteFilm(pool, { videoId: id, name, reason: '', ...byOf(caller, request) });
    reply.code(204);
    return {};
  });

  serve(host, endpoints.reindexVideo, async ({ id, callbackUrl, ...path }, _caller, { reply }) => {
    requireAccount(config, path);
    const address = requireCallback(callbackUrl, config);
    const { state, origin } = await requireFilm(pool, id);
    if (origin !== 'file') throw new Problem('conflict', 'This record has no video file to work on.');
    if (state === 'Failed') await withJobs(host.context, (queue) => retryFootage({ pool, store, queue }, id));
    else if (state !== 'Processed')
      throw new VideoServiceProblem(
        'conflict',
        'VIDEO_INDEXING_IN_PROGRESS',
        'This video is being processed. Wait until that has finished.',
      );
    else await withJobs(host.context, (queue) => readFilmAgain({ pool, queue }, id));
    if (address) await addCallback(pool, { videoId: id, address, awaits: state === 'Failed' ? 'playable' : 'understood' });
    reply.code(204);
    return {};
  });

  renameFaceRoute(host);
  await host.app.register((app, _options, done) => {
    app.addContentTypeParser('multipart/form-data', (_request, payload, parsed) => parsed(null, payload));
    app.addContentTypeParser('application/json-patch+json', { parseAs: 'string' }, app.getDefaultJsonParser('error', 'error'));
    app.addContentTypeParser(subtitleTypes, { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    addUploadRoute({ ...host, app });
    patchRoute({ ...host, app });
    addTranscriptRoute({ ...host, app });
    done();
  });
}

function renameFaceRoute(host: RouteHost): void {
  const { config, pool } = host.context;

  serve(host, endpoints.renameFace, async ({ id, face, newName, callbackUrl, ...path }, caller, { request, reply }) => {
    requireAccount(config, path);
    const address = requireCallback(callbackUrl, config);
    const video = await requireFilm(pool, id);
    const film = { video, moments: await findMoments(pool, id), faces: await findFaces(pool, id) };
    const person = listPeople(film).find((one) => String(one.id) === face);
    if (!person) throw new Problem('not_found', 'There is no such face.');
    if (person.faces.length === 0)
      throw new Problem('conflict', `“${person.name}” is named in the catalogue; there is no face of theirs to rename.`);
    const naming = { videoId: id, replaces: person.name, name: newName, ...byOf(caller, request) };
    // Named in part, one person would be two, under other numbers.
    await inTransaction(pool, async (db) => {
      for (const one of person.faces) await namePerson(db, { ...naming, mark: faceMarkOf(one) });
      if (address) await addCallback(db, { videoId: id, address, awaits: 'nothing', face });
    });
    await withJobs(host.context, (queue) => learnNamedFaces({ pool, queue }, id));
    reply.code(204);
    return {};
  });
}

function addUploadRoute(host: RouteHost): void {
  const { context } = host;
  const { config, pool, secrets } = context;
  const limited = limitPerUser(limits.uploadsAtOncePerUser);

  serveRaw(host, routes.uploadVideo, async (caller, { request, reply }) => {
    const { name, description, externalId, language, fileName, preventDuplicates, videoUrl, callbackUrl, ...path } = parseAddress(
      UploadVideoInput,
      request,
    );
    requireAccount(config, path);
    const callback = requireCallback(callbackUrl, config);
    if ([...name].length > limits.factMaxCodePoints.title)
      throw new VideoServiceProblem(
        'invalid_parameter',
        'VIDEO_NAME_TOO_LONG',
        `A name may have at most ${limits.factMaxCodePoints.title} characters.`,
      );
    const { user, sid } = sessionOf(caller);
    const { uid } = user;
    const bounds = { fileMaxBytes: config.uploads.fileMaxBytes, reserveBytes: config.diskReserveBytes, quota: config.quota };
    const requireStill = (db: Db) => requireStillPermits(db, sid, 'edit');
    const by = { userId: uid, requireStill, from: request.ip, refusesKnown: preventDuplicates === 'true', callback };
    const says = { title: name, description, externalId, language };
    const take = (sent: Pick<FileInOne, 'bytes'> & { readonly name: string }) =>
      withJobs(context, (queue) =>
        takeFileInOne({ ...context, queue }, { ...by, says, bytes: sent.bytes, fileName: nameOf(sent.name, fileName) }, bounds),
      );
    const { videoId } = await limited(uid, async () =>
      videoUrl === undefined
        ? await takeSentFile(request, take)
        : await take(await fetchFootage(videoUrl, { from: config.otherServers.fetchedFrom })),
    );
    const [video] = await findVideos(pool, [videoId]);
    if (!video) throw new Problem('not_found', 'The video was deleted while it was being added.');
    const found = { video, matches: [], counts: {}, lacks: [] };
    const presenting = { reader: await readerOf(context, caller), secrets, accountId: config.videoService.accountId };
    const item = presentVideo(found, { texts: [], form: 'videos' }, presenting);
    return reply.type('application/json; charset=utf-8').send({ ...item, externalId: video.externalId });
  });
}

/** A form names what it has no name for `blob`, and an address may end in a word that is none. */
function nameOf(sent: string, told: string): string {
  return isFootageName(sent) ? sent : told || sent;
}

function patchRoute(host: RouteHost): void {
  const { config, pool } = host.context;

  serveRaw(host, routes.patchIndex, async (caller, { request, reply }) => {
    const path = VideoPath.parse(request.params);
    requireAccount(config, path);
    const patch = IndexPatch.safeParse(request.body);
    if (!patch.success)
      throw new VideoServiceProblem('invalid_parameter', 'JSON_PATCH_INVALID', 'Send a JSON Patch: a list of {op, path, value}.');
    const video = await requireFilm(pool, path.id);
    await patchIndex(pool, { video, patch: patch.data, ...byOf(caller, request) });
    if (patch.data.some(({ path }) => path === '/name')) await redrawTitle(host.context, video.id);
    const index = await indexOf(host.context, await requireFilm(pool, path.id), {
      reader: await readerOf(host.context, caller),
      isSummarized: false,
    });
    return reply.type('application/json; charset=utf-8').send(VideoIndex.parse(index));
  });
}

const subtitleTypes = ['text/vtt', 'text/plain', 'application/x-subrip', 'application/ttml+xml'];

function addTranscriptRoute(host: RouteHost): void {
  const { config, pool } = host.context;

  serveRaw(host, routes.replaceTranscript, async (caller, { request, reply }) => {
    const { id, callbackUrl, language, setAsSourceLanguage, ...path } = parseAddress(ReplaceTranscriptInput, request);
    requireAccount(config, path);
    const address = requireCallback(callbackUrl, config);
    if (!Buffer.isBuffer(request.body)) throw makeTranscriptProblem('Send the lines as WebVTT, with Content-Type: text/vtt.');
    const video = await requireFilm(pool, id);
    const by = { videoId: id, ...byOf(caller, request) };
    const isAnother = language !== '' && mainLanguageOf(language) !== mainLanguageOf(video.language);
    if (isAnother && setAsSourceLanguage !== 'true')
      throw new VideoServiceProblem(
        'invalid_parameter',
        'UNSUPPORTED',
        `The video is in ${video.language}, and translations are not supported. To declare that it is in ${language}, add setAsSourceLanguage=true.`,
      );
    const bytes = request.body;
    await inTransaction(pool, async (db) => {
      await replaceTranscript(db, { ...by, bytes }).catch((error: unknown) => {
        throw error instanceof Problem && error.code === 'invalid_parameter' ? makeTranscriptProblem(error.message) : error;
      });
      if (isAnother) await correctFact(db, { ...by, fact: 'language', replaces: (await findFacts(db, id)).language, says: language });
      if (address) await addCallback(db, { videoId: id, address, awaits: 'nothing' });
    });
    return reply.code(204).send();
  });
}

function makeTranscriptProblem(message: string): VideoServiceProblem {
  return new VideoServiceProblem('invalid_parameter', 'INVALID_VTT_INPUT', message);
}

function mainLanguageOf(language: string): string {
  return language.toLowerCase().split('-')[0] ?? '';
}

/** Whom a script wants told, if anybody: one of the servers that the operator named. */
function requireCallback(callbackUrl: string | undefined, { otherServers }: Config): string | undefined {
  if (callbackUrl === undefined) return undefined;
  const notAmong =
    'This archive only calls back the servers in RUSHES_CALL_BACK. Leave out callbackUrl, and ask for the index until its state is Processed.';
  return requireAmong(callbackUrl, otherServers.told, notAmong).href;
}

/**
 * Gives the file of a form (RFC 7578) to `take` while it comes, under the name that the form says, and returns what that made of it once all
 * of the form is read. Throws a Problem for a body that is no form, or a form without a file, and what `take` throws.
 */
async function takeSentFile<T>(
  { headers, body }: FastifyRequest,
  take: (file: { readonly name: string; readonly bytes: Readable }) => Promise<T>,
): Promise<T> {
  const type = headers['content-type'];
  if (!type || !isStream(body)) throw new Problem('unsupported_media_type', 'Send the file as multipart/form-data.');
  const form = openForm(type);
  let sent: Readable | undefined;
  let taking: Promise<T> | undefined;
  form.on('file', (_field, bytes, name) => {
    sent = bytes;
    taking = take({ name, bytes });
    // What nobody reads would stop the form: the rest of it goes by.
    taking.catch(() => bytes.resume());
  });
  try {
    await pipeline(body, form);
  } catch (cause) {
    // A form that breaks off says nothing of its file.
    sent?.destroy(new Error('the form ended early', { cause }));
    await taking?.catch(() => {});
    throw new Problem('invalid_parameter', 'The form is incomplete.', { cause });
  }
  if (!taking) throw new Problem('invalid_parameter', 'The form contains no file.');
  return await taking;
}

function openForm(type: string) {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: {
        files: 1,
        fields: serverLimits.formFieldsMax,
        fieldSize: serverLimits.formFieldMaxBytes,
        parts: 1 + serverLimits.formFieldsMax,
      },
    });
  } catch (cause) {
    throw new Problem('unsupported_media_type', 'Send the file as multipart/form-data.', { cause });
  }
}

function isStream(body: unknown): body is Readable {
  return typeof body === 'object' && body !== null && 'pipe' in body;
}
