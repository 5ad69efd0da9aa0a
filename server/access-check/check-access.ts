/*
 * The archive asks itself, as everybody (identities), for a film that only editors see, and reports what came through.
 */
import { randomInt } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { Roles } from '#contract/roles.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import type { AccessCheck } from '#contract/status.ts';
import { chooseCookieStyle } from '#domain/signin/cookie-style.ts';
import { nameSessionCookie } from '#domain/signin/session-cookie.ts';
import { type Canary, isFilmIndexed, plantFilm, plantPerson, whileChecking } from '#domain/status/canary.ts';
import { listProcesses } from '#domain/status/processes.ts';
import { mintAccountToken } from '#domain/tokens/account-token.ts';
import { makePosterThumbnailId } from '#domain/tokens/thumbnail-ids.ts';
import { recordActivity } from '#domain/users/audit.ts';
import type { Context } from '../context.ts';
import { type Answer, type Credentials, credentialsOf, faultOf, headersFor, type Identity, refusals } from './identities.ts';

const asking = ['guest', 'pending', 'viewer', 'editor'] as const satisfies readonly Identity[];
type Asking = (typeof asking)[number];
const rolesOf: Readonly<Record<Exclude<Asking, 'guest'>, Roles>> = { pending: {}, viewer: { viewer: true }, editor: { editor: true } };

interface Ground {
  readonly app: FastifyInstance;
  readonly context: Context;
  readonly canary: Canary;
  readonly people: Readonly<Record<Asking, Credentials | null>>;
  /** A network of nobody’s: what is asked takes from no visitor’s bucket. */
  readonly address: string;
}

interface By {
  readonly actorUid: string;
  /** Network address. */
  readonly from: string;
}

/**
 * Asks every route that is there as somebody without an account, somebody who waits, a viewer and an editor, about a film that only editors may see, and
 * says what was answered that should not have been. Nothing else is read of the archive, and nothing changed: what writes is asked
 * only of those who are refused, and about nothing that exists. Throws `conflict` while another check is under way.
 */
export async function checkAccess({ app, context }: Pick<Ground, 'app' | 'context'>, { actorUid, from }: By): Promise<AccessCheck> {
  const begunAt = performance.now();
  const done = await whileChecking(context, async () => {
    const ground = await prepare({ app, context });
    const isIndexed = await untilIndexed(ground);
    const found = { questions: 0, leaks: [] as string[], unasked: [] as string[] };
    // Where another service has the films, most are not there. Found as a request would be: with a slash behind it, too.
    const rows = Object.values<Route>(routes).filter(({ method, path }) => app.findRoute({ method, url: path }) !== null);
    for (const row of rows) {
      for (const identity of asking) await askRow(ground, { row, identity, found });
    }
    if (!isIndexed) found.unasked.push('Searches: the video was not indexed in time, so there was nothing to find.');
    return { routes: rows.length, ...found, unasked: [...new Set(found.unasked)] };
  });
  if (!done) throw new Problem('conflict', 'Someone is already running this check. Try again in a few seconds.');
  const tookMs = Math.round(performance.now() - begunAt);
  const detail = `${done.questions} questions, ${done.leaks.length} leaks`;
  await recordActivity(context.pool, { action: 'access-checked', actorUid, subjectUid: actorUid, detail, from });
  return { ...done, at: new Date().toISOString(), tookMs };
}

async function prepare({ app, context }: Pick<Ground, 'app' | 'context'>): Promise<Ground> {
  const canary = await plantFilm(context);
  const cookieName = nameSessionCookie(chooseCookieStyle(context.config.publicUrl, ''));
  const person = async (roles: Roles) => {
    const { uid, sid, authVersion, secret, key } = await plantPerson(context, roles);
    return credentialsOf(context, {
      uid,
      sid,
      authVersion,
      isAdmin: false,
      cookie: `${cookieName}=${secret}`,
      key: () => Promise.resolve(key),
    });
  };
  const [pending, viewer, editor] = [await person(rolesOf.pending), await person(rolesOf.viewer), await person(rolesOf.editor)];
  // Kept for measurements between networks; no visitor comes from there.
  const address = `198.${18 + randomInt(2)}.${randomInt(256)}.1`;
  return { app, context, canary, address, people: { guest: null, pending, viewer, editor } };
}

/** Searches find the film only once the index has it; where another service has the films, none of them asks the index. */
async function untilIndexed({ context, canary }: Ground): Promise<boolean> {
  if (context.azure) return true;
  const processes = await listProcesses(context.pool);
  if (!processes.some(({ isAlive, does }) => isAlive && does === 'ingest')) return await isFilmIndexed(context, canary);
  for (const until = Date.now() + serverLimits.accessCheckIndexedWithinMs; Date.now() < until; await wait(200)) {
    if (await isFilmIndexed(context, canary)) return true;
  }
  return false;
}

interface Found {
  questions: number;
  readonly leaks: string[];
  readonly unasked: string[];
}

async function askRow(ground: Ground, { row, identity, found }: { row: Route; identity: Asking; found: Found }): Promise<void> {
  const isRefused = refusals[row.need][identity] !== undefined;
  const reads = row.method === 'GET' || row.method === 'HEAD';
  // Whoever may write would.
  if (!reads && !isRefused) return;
  // There is nothing in it, and some of it begins something.
  if (row.need === 'guest' && row.reads === 'nothing') return;
  for (const query of queriesFor(ground, row)) {
    const answer = await ask(ground, { row, identity, query });
    const question = `${row.method} ${row.path} as ${identity}`;
    if (answer.statusCode === 429 || answer.statusCode === 503) {
      found.unasked.push(`${row.method} ${row.path}: the server was too busy to answer (${answer.statusCode}).`);
      continue;
    }
    found.questions += 1;
    // What is hidden from them is not there for them: no refusal, and nothing of it.
    const fault = !isRefused && answer.statusCode < 500 ? undefined : faultOf(row, identity, answer);
    if (fault) found.leaks.push(`${question}: ${answer.statusCode}, ${fault}`);
    const told = ground.canary.words.filter((word) => answer.body.toLowerCase().includes(word));
    if (identity !== 'editor' && told.length > 0)
      found.leaks.push(`${question}: ${answer.statusCode}, and reveals a video that only editors may see`);
  }
}

/** What is looked for: nothing, or each word without its last letter, so that an answer that holds the word has it from the film. */
function queriesFor({ canary }: Ground, row: Route): string[] {
  if (row.reads !== 'matches') return [''];
  // A query as long as this is counted nowhere as one that found nothing.
  return canary.words.map((word) => new URLSearchParams({ query: `${word.slice(0, -1)} `.repeat(18).trim() }).toString());
}

interface Probe {
  readonly row: Route;
  readonly identity: Asking;
  readonly query: string;
}

async function ask({ app, context, canary, people, address }: Ground, { row, identity, query }: Probe): Promise<Answer> {
  const person = people[identity];
  const { location, accountId } = context.config.videoService;
  const values: Readonly<Record<string, string>> = {
    location,
    account: accountId,
    id: canary.filmId,
    uid: 'nobody',
    sid: 'none',
    correction: '0',
    // Every account token opens it.
    thumbnailId: makePosterThumbnailId(context.secrets, canary.filmId),
  };
  const path = row.path.replace(/:(\w+)/g, (_whole, name: string) => values[name] ?? 'none').replace('*', 'hls/master.m3u8');
  const writes = row.method !== 'GET' && row.method !== 'HEAD';
  const headers = await headersFor(row, {
    person,
    film: canary.filmId,
    origin: context.config.publicUrl,
    guestToken: () => mintAccountToken(context.secrets, { caller: 'access-check', adminFields: false }),
  });
  const answer = await app.inject({
    method: row.method,
    url: query === '' ? path : `${path}?${query}`,
    remoteAddress: address,
    headers: { host: new URL(context.config.publicUrl).host, ...headers, ...(writes ? { 'content-type': 'application/json' } : {}) },
    payload: writes ? '{}' : undefined,
    payloadAsStream: true,
  });
  const stream = answer.stream();
  const told = { statusCode: answer.statusCode, headers: answer.headers };
  // Events have no end of their own.
  if (!/^text\/event-stream/.test(String(answer.headers['content-type']))) return { ...told, body: await text(stream) };
  stream.destroy();
  return { ...told, body: '' };
}
