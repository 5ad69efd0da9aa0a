import type { PoolClient } from 'pg';

/** How many pages of a table were read so far, in memory or from the disk: of its rows, or of the values that are stored beside them (`toast`). */
export async function pagesRead(client: PoolClient, table: string, of: 'heap' | 'toast'): Promise<number> {
  await client.query('select pg_stat_force_next_flush()');
  const { rows } = await client.query<{ pages: number }>(
    `select (${of}_blks_read + ${of}_blks_hit)::int as pages from pg_statio_user_tables where relname = $1`,
    [table],
  );
  return rows[0]?.pages ?? 0;
}
