import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** The schemas that are the archive's: its records, and its jobs. */
export const ourSchemas = ['public', 'jobs'];

export const OurTable = z.object({
  schema: z.string(),
  name: z.string(),
  /** Those that hold something of their own; what is computed from them is left out. */
  columns: z.array(z.string()),
  /** The pieces of a table that is kept in pieces, and what belongs into each, in the database's words. */
  partitions: z.array(z.object({ name: z.string(), bound: z.string() })),
});
export type OurTable = z.infer<typeof OurTable>;

export const OurSequence = z.object({ schema: z.string(), name: z.string(), lastValue: z.string() });
export type OurSequence = z.infer<typeof OurSequence>;

/**
 * Biometric data stay where they are, also those that a step keeps of a film until it has ended: in an archive that was restored it begins
 * with the first piece, and nobody is recognised until somebody turns that on there. Processes tell of themselves while they live: those of
 * the archive that was lost are none of the one that comes back.
 */
const leftOut = ['recognition', 'known_faces', 'step_pieces', 'processes'];

/** Whether no backup holds a table, and no restore brings it back from one that an earlier version made. */
export function isLeftOut({ schema, name }: { schema: string; name: string }): boolean {
  return schema === 'public' && leftOut.includes(name);
}

/** Every table of the archive that is copied, a table in pieces once. What an extension brought along is not the archive's. */
export async function listOurTables(db: Db): Promise<OurTable[]> {
  const { rows } = await db.query<OurTable>(sql`
    select n.nspname as schema, c.relname as name,
           (select coalesce(json_agg(a.attname order by a.attnum), '[]')
              from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
           (select coalesce(json_agg(json_build_object('name', p.relname, 'bound', pg_get_expr(p.relpartbound, p.oid)) order by p.relname), '[]')
              from pg_inherits i join pg_class p on p.oid = i.inhrelid
             where i.inhparent = c.oid and p.relispartition) as partitions
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any (${ourSchemas}) and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
       and not (n.nspname = 'public' and c.relname = any (${leftOut}))
       and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by 1, 2`);
  return rows;
}

/** Where every sequence of the archive has come to; one that was never used has no place yet. */
export async function listOurSequences(db: Db): Promise<OurSequence[]> {
  const { rows } = await db.query<OurSequence>(sql`
    select schemaname as schema, sequencename as name, last_value::text as "lastValue"
      from pg_sequences where schemaname = any (${ourSchemas}) and last_value is not null order by 1, 2`);
  return rows;
}

/** The table's name as statements take it. */
export function quoteName({ schema, name }: { schema: string; name: string }): string {
  return `${quote(schema)}.${quote(name)}`;
}

/** Its columns as statements take them. */
export function quoteColumns(columns: readonly string[]): string {
  return columns.map(quote).join(', ');
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
