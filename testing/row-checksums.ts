import type pg from 'pg';
import { openPool, type Pool } from '#domain/db/database.ts';
import type { OpenDatabase } from '#domain/db/open-database.ts';

/** A checksum of every row, by table; rows that are the same have the same. */
export type RowChecksums = ReadonlyMap<string, readonly string[]>;

/**
 * Checksums of every row of every table that stands in the database, by a way of its own: nothing of the backup takes part. But for what no
 * backup keeps: what processes tell of themselves every few seconds, and pieces of steps that have not ended.
 */
export async function checksumRows(client: pg.ClientBase | Pool): Promise<RowChecksums> {
  const { rows: tables } = await client.query<{ name: string }>(`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
       and (table_schema, table_name) not in (('public', 'processes'), ('public', 'step_pieces')) order by 1`);
  const checksums = new Map<string, readonly string[]>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ checksum: string }>(`select md5(t::text) as checksum from ${name} as t order by 1`);
    checksums.set(
      name,
      rows.map(({ checksum }) => checksum),
    );
  }
  return checksums;
}

export function countRows(checksums: RowChecksums): number {
  return [...checksums.values()].reduce((sum, { length }) => sum + length, 0);
}

/** A sentence for every row that stands on one side only. */
export function differingRows(one: RowChecksums, other: RowChecksums): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((table) => {
    const left = countEach(one.get(table) ?? []);
    for (const checksum of other.get(table) ?? []) left.set(checksum, (left.get(checksum) ?? 0) - 1);
    const differing = [...left.values()].reduce((sum, count) => sum + Math.abs(count), 0);
    return Array.from({ length: differing }, () => `a row of ${table}`);
  });
}

/**
 * A pool of the same database that tells of every dump that begins on it: `at` gets a connection that sees exactly the rows that the
 * dump will see, however the archive goes on meanwhile.
 */
export function openWatchedPool({ pool, address }: OpenDatabase, at: (client: pg.ClientBase) => Promise<void>): Pool {
  const watched = openPool(address);
  watched.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const asked = (...args: unknown[]) => {
      const answer = query(...args);
      const isDump = typeof args[0] === 'string' && args[0].startsWith('begin isolation level repeatable read');
      return isDump ? Promise.resolve(answer).then(() => shareSnapshot(pool, query, at)) : answer;
    };
    Object.assign(client, { query: asked });
  });
  return watched;
}

async function shareSnapshot(
  pool: Pool,
  query: (...args: unknown[]) => unknown,
  at: (client: pg.ClientBase) => Promise<void>,
): Promise<void> {
  const { rows } = (await query('select pg_export_snapshot() as id')) as { rows: { id: string }[] };
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(`set transaction snapshot '${rows[0]?.id}'`);
    await at(client);
    await client.query('commit');
  } finally {
    client.release();
  }
}

function countEach(checksums: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const checksum of checksums) counts.set(checksum, (counts.get(checksum) ?? 0) + 1);
  return counts;
}
