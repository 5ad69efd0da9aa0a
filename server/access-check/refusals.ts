import { ProblemBody } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { VideoServiceError } from '#contract/video-service/answers.ts';
import { parseJson } from '#domain/files/parse-json.ts';

/** Who asks. The last two were viewers; what they hold is from that time. */
export const identities = ['guest', 'pending', 'viewer', 'editor', 'admin', 'revoked', 'deleted'] as const;
export type Identity = (typeof identities)[number];

/** Who does not get past a need, and with which status; everybody else does. */
export const refusals: Record<Route['need'], Partial<Record<Identity, number>>> = {
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
  // Asked from elsewhere.
  operator: { guest: 403, pending: 403, viewer: 403, editor: 403, admin: 403, revoked: 403, deleted: 403 },
};

export interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What is wrong with an answer to somebody who asked for this row, in words; undefined for one that is as it should be. */
export function faultOf(row: Route, identity: Identity, answer: Answer): string | undefined {
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
  if (/[\w.]@[\w-]+\.\w|\bat .+:\d+:\d+|\/(work|home|tmp)\//.test(body)) return false;
  if (path.startsWith('/embed/')) return /^text\/html/.test(String(headers['content-type']));
  if (surface === 'video-service') return VideoServiceError.strict().safeParse(parseJson(body)).success;
  return /^application\/problem\+json/.test(String(headers['content-type'])) && ProblemBody.strict().safeParse(parseJson(body)).success;
}
