import { basename } from 'node:path';
import { z } from 'zod';
import { Sha256, sha256Of } from '../files/sha256.ts';
import { parseJson } from '../system/parse-json.ts';
import { type BackupFolder, readText, snapshotName } from './backup-folder.ts';
import { ContentFault } from './contents.ts';
import { OurSequence, OurTable } from './our-tables.ts';

export const DumpedTable = OurTable.extend({
  rows: z.number().int(),
  /** The content that holds the rows: gzip of what `copy … to stdout` gives. */
  sha256: Sha256,
  sizeBytes: z.number().int(),
});
export type DumpedTable = z.infer<typeof DumpedTable>;

export const DatabaseDump = z.object({
  serverVersion: z.string(),
  /** Names of the migrations that made these tables, in order. */
  migrations: z.array(z.string()),
  /** Version of the job queue's tables; null where there are none yet. */
  queueVersion: z.number().int().nullable(),
  tables: z.array(DumpedTable),
  sequences: z.array(OurSequence),
});
export type DatabaseDump = z.infer<typeof DatabaseDump>;

/** One state of the archive: the database at one instant, and the files that belong to it. */
export const Snapshot = z.object({
  format: z.literal(1),
  archive: z.string(),
  at: z.iso.datetime(),
  database: DatabaseDump,
  /** The content that lists the files, a line each (`file-list.ts`), gzipped. */
  files: z.object({ sha256: Sha256, sizeBytes: z.number().int(), count: z.number().int(), totalBytes: z.number() }),
  /** What was wrong with the archive itself when this was made, in sentences. */
  problems: z.array(z.string()),
});
export type Snapshot = z.infer<typeof Snapshot>;

const Sealed = z.object({ snapshot: z.unknown(), sha256: Sha256 });

/** Writes a snapshot; from then on it counts, and no power cut takes it back. Returns its name. */
export async function writeSnapshot(folder: BackupFolder, snapshot: Snapshot): Promise<string> {
  const name = snapshot.at.replaceAll(':', '-');
  await folder.files.write(folder.snapshot(name), `${JSON.stringify({ snapshot, sha256: sealOf(snapshot) })}\n`);
  return name;
}

/** Reads a snapshot. Throws a sentence when it is of a newer version, and a ContentFault when it is missing or damaged. */
export async function readSnapshot(folder: BackupFolder, name: string): Promise<Snapshot> {
  const path = folder.snapshot(name);
  const text = await readText(folder, path);
  if (text === null) throw new ContentFault(`${path} is missing; restore another snapshot of this folder.`);
  const sealed = Sealed.safeParse(parseJson(text));
  if (!sealed.success || sealOf(sealed.data.snapshot) !== sealed.data.sha256)
    throw new ContentFault(`${path} is damaged; another snapshot of this folder may be whole.`);
  const parsed = Snapshot.safeParse(sealed.data.snapshot);
  if (!parsed.success) throw new Error(`${path} was made by a newer version of Rushes; use that version.`);
  return parsed.data;
}

/** Names of the snapshots, oldest first. */
export async function listSnapshots(folder: BackupFolder): Promise<string[]> {
  const names = (await Array.fromAsync(folder.files.list(folder.snapshots))).map((path) => basename(path));
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .filter((name) => snapshotName.test(name))
    .sort();
}

function sealOf(snapshot: unknown): string {
  return sha256Of(JSON.stringify(snapshot));
}
