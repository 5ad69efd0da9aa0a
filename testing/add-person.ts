import { randomBytes, randomUUID } from 'node:crypto';
import type { Roles } from '#contract/roles.ts';
import { openSessionByKey } from '#domain/signin/keys.ts';
import { hashOf } from '#domain/signin/one-time-secret.ts';
import { startSession } from '#domain/signin/sessions.ts';
import { mintAccountToken } from '#domain/tokens/account-token.ts';
import { mintUserBearer } from '#domain/tokens/user-bearer.ts';
import { mintVideoToken } from '#domain/tokens/video-token.ts';
import { setRoles } from '#domain/users/roles.ts';
import type { Context } from '#server/context.ts';

export interface Person {
  readonly uid: string;
  readonly sid: string;
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

/** A signed-in person with these roles. */
export async function addPerson({ pool, secrets }: Pick<Context, 'pool' | 'secrets'>, roles: Roles): Promise<Person> {
  const uid = randomBytes(8).toString('hex');
  await pool.query('insert into users (id, email, name) values ($1, $2, $3)', [uid, `${uid}@people.example`, `Person ${uid}`]);
  await setRoles(pool, uid, roles);
  const { rows } = await pool.query<{ version: number }>('select auth_version as version from users where id = $1', [uid]);
  const { sid, secret } = await startSession(pool, uid, { userAgent: '', signedInBy: 'google' });
  const authVersion = rows[0]?.version ?? 0;
  // Written past the audit, which other tests read.
  const key = async () => {
    const secret = randomBytes(32).toString('base64url');
    await pool.query(
      "insert into keys (id, user_id, name, secret_hash, expires_at) select $1, id, 'A script', $2, now() + interval '1 day' from users where id = $3",
      [randomUUID(), hashOf(secret), uid],
    );
    return secret;
  };
  return {
    uid,
    sid,
    cookie: `__Host-sid=${secret}`,
    bearer: () => mintUserBearer(secrets, { uid, sid }),
    accountToken: () => mintAccountToken(secrets, { caller: sid, adminFields: roles.admin === true, sid }),
    key,
    editToken: async () => {
      const session = await openSessionByKey(pool, await key());
      return await mintAccountToken(secrets, { caller: uid, adminFields: false, mayEdit: true, sid: session?.sid ?? sid });
    },
    videoToken: (videoId) => mintVideoToken(secrets, { videoId, uid, sid, authVersion }),
  };
}
