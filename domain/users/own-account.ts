import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { oneLine } from './display-name.ts';

/** When the administrators were told that this person signed up; null when they have not been. */
export async function findAdminsToldAt(pool: Pool, uid: string): Promise<Date | null> {
  const { rows } = await pool.query<{ toldAt: Date | null }>(sql`select admins_told_at as "toldAt" from users where id = ${uid}`);
  return rows[0]?.toldAt ?? null;
}

/** Keeps what somebody tells the administrators about themselves, in one line; empty for nothing. Throws `invalid_parameter` when too long. */
export async function setOwnNote(pool: Pool, uid: string, text: string): Promise<void> {
  const note = oneLine(text);
  if ([...note].length > limits.noteMaxCodePoints)
    throw new Problem('invalid_parameter', `A note has at most ${limits.noteMaxCodePoints} characters.`);
  await pool.query(sql`update users set note = ${note}, updated_at = now() where id = ${uid}`);
}

export interface OwnProviderAccount {
  readonly provider: string;
  /** What the provider calls this person. */
  readonly accountId: string;
  readonly linkedAt: Date;
}

/** The accounts at providers by which somebody signs in; their tokens are not kept, so there is no secret in it. */
export async function findOwnProviderAccounts(pool: Pool, uid: string): Promise<OwnProviderAccount[]> {
  const { rows } = await pool.query<OwnProviderAccount>(sql`
    select provider_id as provider, account_id as "accountId", created_at as "linkedAt"
      from accounts where user_id = ${uid} order by created_at, id`);
  return rows;
}
