import type { HTTPMethods } from 'fastify';
import { ProblemBody } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { VideoServiceError } from '#contract/video-service/answers.ts';
import { type Answer, addIdentity, askAs, type Ground, type Identity, identities, rows } from './role-matrix.ts';

/** Who does not get past a need, and with which status; everybody else does. */
const refusals: Record<Route['need'], Partial<Record<Identity, number>>> = {
  guest: {},
  'signed-in': { guest: 401, deleted: 401 },
  view: { guest: 401, pending: 403, revoked: 403, deleted: 401 },
  edit: { guest: 401, pending: 403, viewer: 403, revoked: 403, deleted: 401 },
  admin: { guest: 401, pending: 403, viewer: 403, editor: 403, revoked: 403, deleted: 401 },
  'account-token': {},
  'account-or-video-token': {},
  'admin-token': { guest: 403, pending: 403, viewer: 403, editor: 403, revoked: 403, deleted: 403 },
  'video-token': { guest: 401, pending: 403, revoked: 403, deleted: 401 },
  'media-cookie': { guest: 401, pending: 403, revoked: 403, deleted: 401 },
  key: { guest: 401, pending: 403, viewer: 403, revoked: 403, deleted: 401 },
  // Guests and those who watch hold tokens of other kinds.
  'edit-token': { guest: 403, pending: 403, viewer: 403, revoked: 403, deleted: 401 },
  'video-or-edit-token': { guest: 401, pending: 403, revoked: 403, deleted: 401 },
};

const allMethods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export interface Findings {
  checks: number;
  /** What was answered and should not have been, in words. */
  readonly leaks: string[];
}

/** Asks for one row as everybody, by its method and, where that reads, by HEAD; and by every method that no row has at its path. */
export async function findLeaks(ground: Ground, row: Route): Promise<Findings> {
  const found: Findings = { checks: 0, leaks: [] };
  const say = (question: string, answer: Answer, fault: string | undefined) => {
    found.checks += 1;
    if (fault) found.leaks.push(`${question}: ${answer.statusCode}, ${fault}`);
  };
  const methods = row.method === 'GET' ? (['GET', 'HEAD'] as const) : [row.method];
  for (const identity of identities) {
    const isRefused = refusals[row.need][identity] !== undefined;
    // A call that is refused does nothing to whoever makes it: one person makes them all.
    const person = isRefused && identity !== 'guest' ? await addIdentity(ground.context, identity) : undefined;
    for (const method of methods) {
      const answer = await askAs(ground, { row, identity, method, person });
      say(`${method} ${row.path} as ${identity}`, answer, faultOf(row, identity, answer));
      if (!isRefused || !/:(id|uid|sid)\b/.test(row.path)) continue;
      // Who may not see something must not learn whether it is there.
      const unknown = await askAs(ground, { row, identity, method, exists: false, person });
      say(`${method} ${row.path} as ${identity} of nobody`, unknown, isSameRefusal(unknown, answer) ? undefined : 'unlike of somebody');
    }
  }
  const taken = rows.filter(({ path }) => path === row.path).flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const admin = await addIdentity(ground.context, 'admin');
  for (const method of allMethods.filter((one) => !taken.includes(one))) {
    for (const identity of ['guest', 'admin'] as const) {
      const answer = await askAs(ground, { row, identity, method, person: admin });
      // 401 and 403 are said by another row whose pattern this address fits too.
      const isAnswered = ![401, 403, 404, 405].includes(answer.statusCode);
      say(`${method} ${row.path} as ${identity}`, answer, isAnswered ? 'which no row allows' : undefined);
    }
  }
  return found;
}

function faultOf(row: Route, identity: Identity, answer: Answer): string | undefined {
  const { statusCode } = answer;
  const expected = refusals[row.need][identity];
  if (statusCode >= 500) return 'a fault of ours';
  if (expected === undefined && [401, 403].includes(statusCode)) return 'though they may';
  const cacheControl = String(answer.headers['cache-control']);
  if (expected === undefined) return row.need !== 'guest' && cacheControl.includes('public') ? 'and anybody may keep it' : undefined;
  if (statusCode !== expected) return `expected ${expected}`;
  if (cacheControl !== 'no-store') return 'and it may be kept';
  return answer.body === '' || isProperRefusal(row, answer) ? undefined : `and says ${answer.body}`;
}

/** The documented shape of an error, and nothing of anybody in it. A frame shows its refusal as a page. */
function isProperRefusal({ path, surface }: Route, { body, headers }: Answer): boolean {
  if (/@people\.example|\bat .+:\d+:\d+|\/(work|home|tmp)\//.test(body)) return false;
  if (path.startsWith('/embed/')) return /^text\/html/.test(String(headers['content-type']));
  if (surface === 'video-service') return VideoServiceError.strict().safeParse(JSON.parse(body)).success;
  return /^application\/problem\+json/.test(String(headers['content-type'])) && ProblemBody.strict().safeParse(JSON.parse(body)).success;
}

function isSameRefusal(one: Answer, other: Answer): boolean {
  return one.statusCode === other.statusCode && withoutRequestId(one.body) === withoutRequestId(other.body);
}

function withoutRequestId(body: string): string {
  return body.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '');
}
