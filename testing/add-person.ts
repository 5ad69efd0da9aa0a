import { randomBytes } from 'node:crypto';
import type { Roles } from '#contract/roles.ts';
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
  return {
    uid,
    sid,
    cookie: `__Host-sid=${secret}`,
    bearer: () => mintUserBearer(secrets, { uid, sid }),
    accountToken: () => mintAccountToken(secrets, { caller: sid, adminFields: roles.admin === true, sid }),
    videoToken: (videoId) => mintVideoToken(secrets, { videoId, uid, sid, authVersion }),
  };
}
