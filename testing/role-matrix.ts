import { text } from 'node:stream/consumers';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import type { Roles } from '#contract/roles.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { removeUser } from '#domain/users/delete-user.ts';
import { setRoles } from '#domain/users/roles.ts';
import { type Answer, headersFor, type Identity } from '#server/access-check/identities.ts';
import type { Context } from '#server/context.ts';
import { addFilm } from './add-film.ts';
import { addPerson, type Person } from './add-person.ts';

export const rows: readonly Route[] = Object.values(routes);

/** An archive with a film in it, and somebody who guests' tokens can be made for. */
export interface Ground {
  readonly app: FastifyInstance;
  readonly context: Context;
  readonly film: string;
  guestToken(): Promise<string>;
}

/** What somebody asks: a row, its method or another one, with credentials of the strongest kind that they ever held. */
export interface Probe {
  readonly row: Route;
  readonly identity: Identity;
  readonly method: HTTPMethods;
  /** False asks for ids that nobody and nothing has. */
  readonly exists?: boolean;
  /** The part of the address that is a NUL character. */
  readonly nulAs?: string;
  /** Who it is that asks; somebody new where nobody is named. */
  readonly person?: Person | undefined;
}

const rolesOf: Partial<Record<Identity, Roles>> = {
  viewer: { viewer: true },
  revoked: { viewer: true },
  deleted: { viewer: true },
  editor: { editor: true },
  admin: { admin: true },
};

/** Somebody new of this kind. */
export async function addIdentity(context: Context, identity: Exclude<Identity, 'guest'>): Promise<Person> {
  const person = await addPerson(context, rolesOf[identity] ?? {});
  if (identity === 'revoked') await setRoles(context.pool, person.uid, {});
  if (identity === 'deleted') await removeUser(context.pool, person.uid);
  return person;
}

const unknown = { uid: 'nobody', id: '0000000000', sid: 'none', correction: '1', face: '1' };

/** Asks as somebody new, and of people as somebody who is not concerned: what a call does to one disturbs no other. */
export async function askAs(ground: Ground, { row, identity, method, exists = true, nulAs, ...question }: Probe): Promise<Answer> {
  const person = identity === 'guest' ? null : (question.person ?? (await addIdentity(ground.context, identity)));
  const uid = row.path.includes(':uid') ? await concernedBy(ground, row, person) : '';
  // What is deleted would be missed by everybody after it.
  const id = row.path === routes.deleteVideo.path && row.method === 'DELETE' ? await addFilm(ground.context) : ground.film;
  const known = { uid, id, sid: person?.sid ?? 'none', correction: '1', face: '1' };
  const body = bodies[`${row.method} ${row.path}`] ?? {};
  const writes = method !== 'GET' && method !== 'HEAD';
  const answer = await ground.app.inject({
    method: method as 'GET',
    url: addressOf(ground.context, row.path, { ...(exists ? known : unknown), ...(nulAs ? { [nulAs]: '%00' } : {}) }),
    headers: {
      ...(await headersFor(row, { ...ground, person, origin: 'http://localhost:80' })),
      ...(writes ? { 'content-type': 'application/json' } : {}),
    },
    payload: writes ? JSON.stringify(body) : undefined,
    payloadAsStream: true,
    // On this machine everybody is the operator.
    ...(row.need === 'operator' ? { remoteAddress: '198.51.100.7' } : {}),
  });
  const { statusCode, headers } = answer;
  const stream = answer.stream();
  // Events have no end of their own.
  if (!/^text\/event-stream/.test(String(headers['content-type']))) return { statusCode, headers, body: await text(stream) };
  stream.destroy();
  return { statusCode, headers, body: '' };
}

/** Whom a call about somebody is about: what is everybody's own is asked of oneself. */
async function concernedBy({ context }: Ground, { need }: Route, person: Person | null): Promise<string> {
  return need === 'signed-in' && person ? person.uid : (await addPerson(context, { viewer: true })).uid;
}

const subtitles = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHello\n').toString('base64');

/** What the calls that want something are given, so that an answer is about who asks. */
const bodies: Readonly<Record<string, object>> = {
  'PUT /api/videos/:id/facts/:fact': { replaces: 'Harbour', says: 'Harbour at dusk' },
  'PUT /api/videos/:id/names/:kind': { replaces: '', says: 'crane' },
  'PUT /api/videos/:id/poster': { atMs: 2_000 },
  'PUT /api/videos/:id/lines': {
    changes: [{ replaces: [], lines: [{ startMs: 1_000, endMs: 2_000, text: 'Hello', speaker: null }] }],
  },
  'POST /api/existing-work/preview': { name: 'tape.srt', file: subtitles },
  'POST /api/existing-work': { name: 'tape.srt', file: subtitles },
  'POST /api/details/preview': { by: 'title', rows: [{ mark: 'Harbour', says: { place: 'Norvik' } }] },
  'PUT /api/videos/:id/lines/file': { file: subtitles },
  'PUT /api/brands': { list: 'Hasselblad', replaces: 'x' },
  'PUT /api/videos/:id/faces/:mark': { replaces: 'Unknown 1', name: 'Ann' },
  'POST /api/videos/:id/faces/:mark/merge': { replaces: 'Unknown 1', otherMark: 'x', otherReplaces: 'Unknown 2' },
  'DELETE /api/videos/:id/people': { name: 'Ann', everywhere: false },
  'DELETE /api/videos/:id/faces/:mark': { name: 'Unknown 1', everywhere: false },
  'DELETE /api/videos/:id': { name: 'Another film', reason: '' },
  'DELETE /api/deletions/:id': { name: 'Another film' },
  'POST /api/steps/:step/run': { belowVersion: 2 },
  'POST /api/engines/read-again': { engine: 'Silero VAD' },
  'PUT /api/recognition': { isOn: false },
  'POST /api/account/keys': { name: 'Nightly', days: 30 },
  'PATCH /:location/Accounts/:account/Videos/:id/Index': [{ op: 'replace', path: '/description', value: 'A harbour' }],
  'PATCH /api/users/:uid/roles': { role: 'viewer', granted: false },
  'PUT /api/users/:uid': { displayName: 'Ann' },
  'PUT /api/account/note': { note: 'Ann' },
  'DELETE /api/unfound': { text: 'harbour' },
  'POST /api/search-opened': { query: 'harbour' },
  'POST /api/sign-in-links': { email: 'ann@people.example', displayName: 'Ann' },
  'POST /api/sign-in-link': { token: 'x'.repeat(43), email: 'ann@people.example' },
};

function addressOf({ config }: Context, path: string, known: Record<string, string>): string {
  const { location, accountId } = config.videoService;
  const values: Record<string, string> = { location, account: accountId, thumbnailId: '00000000-0000-0000-0000-000000000000', ...known };
  return path.replace(/:(\w+)/g, (_whole, name: string) => values[name] ?? 'x').replace('*', values['*'] ?? 'hls/master.m3u8');
}
