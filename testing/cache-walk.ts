import { type IncomingHttpHeaders, request } from 'node:http';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { makePosterThumbnailId } from '#domain/tokens/thumbnail-ids.ts';
import type { Person } from './add-person.ts';
import { rows } from './role-matrix.ts';
import type { TestServer } from './test-server.ts';

/** An answer that came through a cache. */
interface Passed {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Endings and spellings by which a cache or a server might take an address for another one; `{}` is the path. */
const tricks = ['{}/x.css', '{}/x.js', '{}.css', '{};x.css', '{}%2Fx.css', '{}%00x.css', '{}/..%2Fx.css', '/assets/..{}', '/{}', '{}/'];

export interface Address {
  readonly path: string;
  /** What this person shows there. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Every address that is read, and spellings of them, with all that this person can show, and nothing of that in the address. */
export async function addressesOf(server: TestServer, film: string, person: Person): Promise<Address[]> {
  const { location, accountId } = server.context.config.videoService;
  const thumbnailId = makePosterThumbnailId(server.context.secrets, film);
  const values: Record<string, string> = { location, account: accountId, id: film, thumbnailId, uid: person.uid, sid: person.sid };
  const fill = (path: string) => path.replace(/:(\w+)/g, (_whole, name: string) => values[name] ?? 'x').replace('*', 'hls/master.m3u8');
  const routes = await Promise.all(
    rows
      .filter(({ method }) => method === 'GET')
      .map(async (row) => ({ path: fill(row.path), headers: await credentials({ film, person }, row) })),
  );
  const own = { cookie: person.cookie };
  const pages = ['/', '/search?query=harbour', '/account', '/admin', '/admin/users', '/desk/unfound', `/video/${film}`].map((path) => ({
    path,
    headers: own,
  }));
  const tempting = routes.filter(({ path }) => path.startsWith('/api/') || path.includes(film));
  const spelled = tempting.flatMap(({ path, headers }) => tricks.map((trick) => ({ path: trick.replace('{}', path), headers })));
  const known = ['/api/users/me/x.css', '/admin/users.json', '/account/x.css'].map((path) => ({ path, headers: own }));
  return [...routes, ...pages, ...spelled, ...known];
}

/** Asks through the proxy at this port under the archive's own name, again while a busy machine has it told to come back later. */
export async function askThrough(port: number, path: string, headers: Address['headers']): Promise<Passed> {
  let [passed, tries] = [await askOnce(port, path, headers), 1];
  while (passed.status === 503 && tries++ < 5) passed = await askOnce(port, path, headers);
  return passed;
}

/** An answer without an end is left after its first bytes. */
function askOnce(port: number, path: string, headers: Address['headers']): Promise<Passed> {
  return new Promise((done, fail) => {
    const asking = request({ host: '127.0.0.1', port, path, headers: { host: 'archive.example', ...headers } }, (answer) => {
      let body = '';
      const finish = () => done({ status: answer.statusCode ?? 0, headers: answer.headers, body });
      const isEndless = /^text\/event-stream/.test(answer.headers['content-type'] ?? '');
      answer.setEncoding('latin1').on('data', (chunk) => {
        body += chunk;
        if (isEndless && body.includes('data:')) asking.destroy();
      });
      answer.on('close', finish);
    });
    asking.on('error', fail).end();
  });
}

async function credentials({ film, person }: { film: string; person: Person }, { path, need }: Route): Promise<Record<string, string>> {
  if (need === 'key') return { 'ocp-apim-subscription-key': await person.key() };
  if (need === 'records-token') return { authorization: `Bearer ${await person.recordsToken()}` };
  if (need.includes('account')) return { authorization: `Bearer ${await person.accountToken()}` };
  if (['video-token', 'video-or-edit-token', 'media-cookie'].includes(need))
    return { authorization: `Bearer ${await person.videoToken(film)}` };
  if (path === routes.videoToken.path) return { authorization: `Bearer ${await person.bearer()}` };
  return { cookie: person.cookie };
}
