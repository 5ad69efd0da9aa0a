import { openPool } from '../db/database.ts';
import { errorCode } from '../db/error-code.ts';
import { errorMessage } from '../db/error-message.ts';
import { sql } from '../db/sql.ts';

/** What a database of one's own comes to, before anything is opened or changed in it. */
export type DatabaseLook =
  | { readonly is: 'away' | 'refusing' | 'without database'; readonly reason: string }
  | { readonly is: 'too old'; readonly version: string }
  | { readonly is: 'standby' }
  | { readonly is: 'without rights'; readonly role: string; readonly lacks: string }
  | { readonly is: 'usable'; readonly version: string };

const oldestVersion = 150_000;

/** Looks whether the archive could work on this database. Never throws. */
export async function lookAtDatabase(databaseUrl: string): Promise<DatabaseLook> {
  const pool = openPool({ connectionString: databaseUrl }, { maxConnections: 1 });
  try {
    const { rows: versions } = await pool.query<{ number: number; version: string }>(sql`
      select current_setting('server_version_num')::int as number, current_setting('server_version') as version`);
    const { number = 0, version = 'unknown' } = versions[0] ?? {};
    if (Number(number) < oldestVersion) return { is: 'too old', version };
    const { rows } = await pool.query<{ role: string; isStandby: boolean; makesTables: boolean; ownsTables: boolean }>(sql`
      select current_user as role, pg_is_in_recovery() as "isStandby",
             has_schema_privilege('public', 'CREATE') and has_database_privilege(current_database(), 'CREATE') as "makesTables",
             not exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                          where n.nspname = 'public' and c.relname in ('videos', 'users', 'migrations')
                            and not pg_has_role(c.relowner, 'USAGE')) as "ownsTables"`);
    const [standing] = rows;
    if (!standing || standing.isStandby) return { is: 'standby' };
    if (!standing.makesTables) return { is: 'without rights', role: standing.role, lacks: 'may not make tables and schemas' };
    if (!standing.ownsTables) return { is: 'without rights', role: standing.role, lacks: 'does not own the archive’s tables' };
    return { is: 'usable', version };
  } catch (error) {
    const code = errorCode(error);
    const is = code === '3D000' ? 'without database' : code.startsWith('28') ? 'refusing' : 'away';
    return { is, reason: errorMessage(error) || code };
  } finally {
    await pool.end();
  }
}
