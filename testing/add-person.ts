import { randomBytes, randomUUID } from 'node:crypto';
import type { Roles } from '#contract/roles.ts';
import { hashOf } from '#domain/signin/one-time-secret.ts';
import { startSession } from '#domain/signin/sessions.ts';
import { signMediaCookie, verifyVideoToken } from '#domain/tokens/video-token.ts';
import { setRoles } from '#domain/users/roles.ts';
import { type Credentials, credentialsOf } from '#server/access-check/identities.ts';
import type { Context } from '#server/context.ts';

export interface Person extends Credentials {
  readonly uid: string;
  readonly sid: string;
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
  const holder = { uid, sid, authVersion, isAdmin: roles.admin === true, cookie: `__Host-sid=${secret}`, key };
  return { uid, sid, ...credentialsOf({ pool, secrets }, holder) };
}

/** The header with the cookie by which a player over TLS opens the segments of one film. */
export async function streamCookie({ secrets }: Pick<Context, 'secrets'>, person: Person, film: string): Promise<string> {
  const claims = await verifyVideoToken(secrets, await person.videoToken(film));
  return `__Secure-m=${await signMediaCookie(secrets, claims)}`;
}
