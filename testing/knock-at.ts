import type { FastifyInstance } from 'fastify';
import { makePosterThumbnailId } from '#domain/tokens/thumbnail-ids.ts';
import { signMediaCookie, verifyVideoToken } from '#domain/tokens/video-token.ts';
import { addPerson, type Person } from './add-person.ts';
import type { Door } from './guarded-doors.ts';
import type { TestServer } from './test-server.ts';

interface Knock {
  /** Whose own account, sessions and the like are asked for. */
  readonly holder?: Person;
  readonly videoId?: string;
  readonly app?: FastifyInstance | undefined;
  readonly authorization?: string;
  readonly cookie?: string;
  /** Comes after the rest of the query. */
  readonly query?: string;
}

export interface Knocking {
  /** Somebody with every role. */
  addHolder(): Promise<Person>;
  /** The good key of this person to this door. */
  keyOf(door: Door, person: Person): Promise<string>;
  mediaCookie(person: Person, videoId: string): Promise<string>;
  /** Asks for the door's route with this credential where the door expects one, and returns the status. */
  knock(door: Door, credential: string | undefined, more?: Knock): Promise<number>;
}

/** Asks this server for any guarded route, about `film` unless told otherwise. */
export function knockAt(server: TestServer, film: string): Knocking {
  const { context } = server;
  const mediaCookie = async (person: Person, videoId: string) =>
    signMediaCookie(context.secrets, await verifyVideoToken(context.secrets, await person.videoToken(videoId)));
  return {
    addHolder: () => addPerson(context, { viewer: true, editor: true, admin: true }),
    mediaCookie,
    keyOf: async (door, person) => {
      switch (door.key) {
        case 'account token':
          return await server.guestToken();
        case 'admin token':
          return await person.accountToken();
        case 'edit token':
          return await person.editToken();
        case 'video token':
          return await person.videoToken(film);
        case 'user bearer':
          return await person.bearer();
        case 'media cookie':
          return await mediaCookie(person, film);
        case 'session cookie':
          return person.cookie.split('=')[1] ?? '';
      }
    },
    knock: async (door, credential, more = {}) => {
      const answer = await (more.app ?? server.app).inject({
        // Events have no end; their headers say whether they begin.
        method: door.path.endsWith('/events') ? 'HEAD' : methodOf(door),
        url: addressOf(server, door, { videoId: film, ...more }) + queryOf(door, credential, more),
        headers: { origin: context.config.publicUrl, ...headersOf(door, credential, more) },
        ...(hasBody(door) ? { payload: '{}' } : {}),
      });
      return answer.statusCode;
    },
  };
}

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function methodOf({ method }: Door): (typeof methods)[number] {
  const known = methods.find((name) => name === method);
  if (!known) throw new Error(`${method} is no method that a route has`);
  return known;
}

function hasBody({ method }: Door): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

function queryOf(door: Door, credential: string | undefined, { query = '' }: Knock): string {
  const isCarried = door.carriedIn === 'query' && credential !== undefined;
  return isCarried ? `?accessToken=${encodeURIComponent(credential)}${query}` : '';
}

function headersOf(door: Door, credential: string | undefined, { authorization, cookie }: Knock): Record<string, string> {
  const cookieName = door.key === 'media cookie' ? '__Secure-m' : '__Host-sid';
  const carried = credential !== undefined && door.carriedIn === 'cookie' ? `${cookieName}=${credential}` : cookie;
  const bearer = credential !== undefined && door.carriedIn === 'authorization' ? `Bearer ${credential}` : authorization;
  return {
    ...(hasBody(door) ? { 'content-type': 'application/json' } : {}),
    ...(carried === undefined ? {} : { cookie: carried }),
    ...(bearer === undefined ? {} : { authorization: bearer }),
  };
}

function addressOf({ context }: TestServer, door: Door, { holder, videoId: id = '' }: Knock): string {
  const { location, accountId } = context.config.videoService;
  const values: Record<string, string> = {
    location,
    account: accountId,
    // What is deleted would be missed by everybody after it.
    id: door.method === 'DELETE' && door.path.endsWith('/Videos/:id') ? 'ffffffffff' : id,
    thumbnailId: makePosterThumbnailId(context.secrets, id),
    hash: '0'.repeat(32),
    // Administrators act on others: somebody who is not there answers "not found", and only to them.
    uid: door.need === 'admin' ? 'nobody' : (holder?.uid ?? 'nobody'),
    sid: holder?.sid ?? 'none',
  };
  return door.path.replace(/:(\w+)/g, (_whole, name: string) => values[name] ?? 'x');
}
