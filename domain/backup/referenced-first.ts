import type pg from 'pg';
import { sql } from '../db/sql.ts';
import { ourSchemas } from './our-tables.ts';

/** The same tables, each behind those that its rows refer to. */
export async function referencedFirst<T extends { schema: string; name: string }>(
  client: pg.PoolClient,
  tables: readonly T[],
): Promise<T[]> {
  const { rows } = await client.query<{ schema: string; name: string; on_schema: string; on_name: string }>(sql`
    select n.nspname as schema, c.relname as name, tn.nspname as on_schema, t.relname as on_name
      from pg_constraint f
      join pg_class c on c.oid = f.conrelid join pg_namespace n on n.oid = c.relnamespace
      join pg_class t on t.oid = f.confrelid join pg_namespace tn on tn.oid = t.relnamespace
     where f.contype = 'f' and n.nspname = any (${ourSchemas}) and f.conrelid <> f.confrelid`);
  const ordered: T[] = [];
  const begun = new Set<T>();
  const add = (table: T) => {
    if (begun.has(table)) return;
    begun.add(table);
    for (const { on_schema, on_name } of rows.filter((row) => row.schema === table.schema && row.name === table.name)) {
      const referenced = tables.find((other) => other.schema === on_schema && other.name === on_name);
      if (referenced) add(referenced);
    }
    ordered.push(table);
  };
  for (const table of tables) add(table);
  return ordered;
}
