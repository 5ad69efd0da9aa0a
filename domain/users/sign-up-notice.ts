import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface SignUpNotice {
  /** How many people wait for activation, those included of whom the administrators know. */
  readonly waiting: number;
  /** Proved addresses of the administrators. */
  readonly to: readonly string[];
}

/**
 * Calls `tell` when somebody has signed up of whom the administrators do not know, at most once an hour over all server processes.
 * They count as told when it returns; when it throws, it is called again next time.
 */
export async function tellOfSignUps(pool: Pool, tell: (notice: SignUpNotice) => Promise<void>): Promise<void> {
  await inTransaction(pool, async (db) => {
    const due = await db.query(sql`
      select from sign_up_notices where told_at <= now() - interval '1 hour' for update skip locked`);
    if (due.rowCount !== 1) return;
    const untold = await findUntold(db);
    const to = untold.length > 0 ? await findAdminAddresses(db) : [];
    if (to.length === 0) return;
    await tell({ waiting: await countWaiting(db), to });
    await db.query(sql`update users set admins_told_at = now() where id = any(${untold})`);
    await db.query(sql`update sign_up_notices set told_at = now()`);
  });
}

async function findUntold(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ uid: string }>(
    sql`select id as uid from users where admins_told_at is null and activated_at is null and not is_active(roles)`,
  );
  return rows.map(({ uid }) => uid);
}

async function findAdminAddresses(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ email: string }>(
    sql`select email from users where roles @> '{"admin": true}' and email_verified and email is not null order by email`,
  );
  return rows.map(({ email }) => email);
}

async function countWaiting(db: Db): Promise<number> {
  const { rows } = await db.query<{ waiting: number }>(
    sql`select count(*) as waiting from users where activated_at is null and not is_active(roles)`,
  );
  return rows[0]?.waiting ?? 0;
}
