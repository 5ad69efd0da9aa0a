import { ProblemBody } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { VideoServiceError } from '#contract/video-service/answers.ts';
import { openSessionByKey } from '#domain/signin/keys.ts';
import { parseJson } from '#domain/system/parse-json.ts';
import { mintAccountToken } from '#domain/tokens/account-token.ts';
import { mintUserBearer } from '#domain/tokens/user-bearer.ts';
import { mintVideoToken } from '#domain/tokens/video-token.ts';
import type { Context } from '../context.ts';

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
  'records-token': { guest: 403, pending: 403, viewer: 403, revoked: 403, deleted: 401 },
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
  if (statusCode >= 500) return 'a server error';
  if (expected === undefined && [401, 403].includes(statusCode)) return 'though they may';
  const cacheControl = String(answer.headers['cache-control']);
  if (expected === undefined) return row.need !== 'guest' && cacheControl.includes('public') ? 'and anyone may cache it' : undefined;
  if (statusCode !== expected) return `expected ${expected}`;
  if (cacheControl !== 'no-store') return 'and it may be cached';
  return answer.body === '' || isProperRefusal(row, answer) ? undefined : `and says ${answer.body}`;
}

/** The documented shape of an error, and nothing of anybody in it. A frame shows its refusal as a page. */
function isProperRefusal({ path, surface }: Route, { body, headers }: Answer): boolean {
  if (/[\w.]@[\w-]+\.\w|\bat .+:\d+:\d+|\/(work|home|tmp)\//.test(body)) return false;
  if (path.startsWith('/embed/')) return /^text\/html/.test(String(headers['content-type']));
  if (surface === 'video-service') return VideoServiceError.strict().safeParse(parseJson(body)).success;
  return /^application\/problem\+json/.test(String(headers['content-type'])) && ProblemBody.strict().safeParse(parseJson(body)).success;
}

/** What somebody holds, of the strongest kind that they ever held. */
export interface Credentials {
  /** Value of a `Cookie` header. */
  readonly cookie: string;
  bearer(): Promise<string>;
  accountToken(): Promise<string>;
  /** A key for scripts, and the token that it is changed for, as if this person had made them while they might. */
  key(): Promise<string>;
  editToken(): Promise<string>;
  /** What opens the list of films in every state: an administrator's account token, or an edit token. */
  recordsToken(): Promise<string>;
  /** As it was when this person could still ask for it. */
  videoToken(videoId: string): Promise<string>;
}

interface Holder {
  readonly uid: string;
  readonly sid: string;
  readonly authVersion: number;
  readonly isAdmin: boolean;
  readonly cookie: string;
  key(): Promise<string>;
}

/** Makes what this person holds. */
export function credentialsOf({ pool, secrets }: Pick<Context, 'pool' | 'secrets'>, holder: Holder): Credentials {
  const { uid, sid, authVersion, isAdmin, cookie, key } = holder;
  const accountToken = () => mintAccountToken(secrets, { caller: sid, adminFields: isAdmin, sid });
  const editToken = async () => {
    const session = await openSessionByKey(pool, await key());
    return await mintAccountToken(secrets, { caller: uid, adminFields: false, mayEdit: true, sid: session?.sid ?? sid });
  };
  return {
    cookie,
    bearer: () => mintUserBearer(secrets, { uid, sid }),
    accountToken,
    key,
    editToken,
    recordsToken: isAdmin ? accountToken : editToken,
    videoToken: (videoId) => mintVideoToken(secrets, { videoId, uid, sid, authVersion }),
  };
}

interface Asking {
  /** Null for a guest. */
  readonly person: Credentials | null;
  readonly film: string;
  /** As the pages of this archive name it in their requests. */
  readonly origin: string;
  guestToken(): Promise<string>;
}

/** The headers with which somebody asks for a row: what lets in there, as far as they have it. */
export async function headersFor({ need, path }: Route, { person, film, origin, guestToken }: Asking): Promise<Record<string, string>> {
  if (need === 'key' && person) return { 'ocp-apim-subscription-key': await person.key() };
  if (need === 'edit-token') return { authorization: `Bearer ${await (person?.editToken() ?? guestToken())}` };
  if (need === 'records-token') return { authorization: `Bearer ${await (person?.recordsToken() ?? guestToken())}` };
  if (need.includes('account')) return { authorization: `Bearer ${await (person?.accountToken() ?? guestToken())}` };
  // A change is taken from our own pages only.
  const ours = { origin, host: origin.replace(/^https?:\/\//, '') };
  if (!person) return ours;
  if (['video-token', 'video-or-edit-token', 'media-cookie'].includes(need))
    return { authorization: `Bearer ${await person.videoToken(film)}` };
  if (path === routes.videoToken.path) return { authorization: `Bearer ${await person.bearer()}` };
  return { cookie: person.cookie, ...ours };
}
