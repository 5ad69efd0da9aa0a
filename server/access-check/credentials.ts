import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { openSessionByKey } from '#domain/signin/keys.ts';
import { mintAccountToken } from '#domain/tokens/account-token.ts';
import { mintUserBearer } from '#domain/tokens/user-bearer.ts';
import { mintVideoToken } from '#domain/tokens/video-token.ts';
import type { Context } from '../context.ts';

/** What somebody holds, of the strongest kind that they ever held. */
export interface Credentials {
  /** Value of a `Cookie` header. */
  readonly cookie: string;
  bearer(): Promise<string>;
  accountToken(): Promise<string>;
  /** A key for scripts, and the token that it is changed for, as if this person had made them while they might. */
  key(): Promise<string>;
  editToken(): Promise<string>;
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
  return {
    cookie,
    bearer: () => mintUserBearer(secrets, { uid, sid }),
    accountToken: () => mintAccountToken(secrets, { caller: sid, adminFields: isAdmin, sid }),
    key,
    editToken: async () => {
      const session = await openSessionByKey(pool, await key());
      return await mintAccountToken(secrets, { caller: uid, adminFields: false, mayEdit: true, sid: session?.sid ?? sid });
    },
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
  const byAccountToken = need.includes('account') || need === 'admin-token';
  if (byAccountToken) return { authorization: `Bearer ${await (person?.accountToken() ?? guestToken())}` };
  // A change is taken from our own pages only.
  const ours = { origin, host: origin.replace(/^https?:\/\//, '') };
  if (!person) return ours;
  if (['video-token', 'video-or-edit-token', 'media-cookie'].includes(need))
    return { authorization: `Bearer ${await person.videoToken(film)}` };
  if (path === routes.videoToken.path) return { authorization: `Bearer ${await person.bearer()}` };
  return { cookie: person.cookie, ...ours };
}
