import type { BackupFolder } from './backup-folder.ts';
import { type Content, makeContentSet, passesFor } from './content-set.ts';
import { ContentFault, readContent, readPackedContent } from './contents.ts';
import { readFileList, sayListed } from './file-list.ts';
import { quoteName } from './our-tables.ts';
import { type DumpedTable, listSnapshots, readSnapshot, type Snapshot } from './snapshot.ts';

export interface BackupCheck {
  readonly snapshots: number;
  readonly tables: number;
  readonly files: number;
  readonly totalBytes: number;
  /** What is damaged or missing, a sentence each. */
  readonly faults: readonly string[];
  /** What could not be read for another reason, and says nothing of the backups themselves. */
  readonly unchecked: readonly string[];
}

/**
 * Reads every snapshot of a folder back: every row of its tables is counted, every file read and compared with its hash. Of many files it
 * goes through the lists several times, `contentsAtOnce` at a time.
 */
export async function checkBackup(
  folder: BackupFolder,
  say: (line: string) => void,
  { contentsAtOnce }: { contentsAtOnce?: number } = {},
): Promise<BackupCheck> {
  const sums = { snapshots: 0, tables: 0, files: 0, totalBytes: 0 };
  const faults: string[] = [];
  const unchecked: string[] = [];
  let read = makeContentSet();
  const attempt = async (name: string, where: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      // A backup that runs meanwhile drops old snapshots, and only then what they alone name.
      if (error instanceof ContentFault && !(await listSnapshots(folder)).includes(name)) return;
      (error instanceof ContentFault ? faults : unchecked).push(`${where}: ${error.message}`);
    }
  };
  /** A content that several files or snapshots share is read once. */
  const once = async (content: Content, work: () => Promise<void>) => {
    if (!read.add(content.sha256)) return;
    sums.totalBytes += content.sizeBytes;
    await work();
  };
  const lists: { name: string; files: Snapshot['files'] }[] = [];
  for (const name of await listSnapshots(folder)) {
    say(`Reading ${name}`);
    sums.snapshots += 1;
    await attempt(name, name, async () => {
      const { database, files } = await readSnapshot(folder, name);
      for (const table of database.tables) {
        sums.tables += 1;
        await attempt(name, `${name}, table ${quoteName(table)}`, () => once(table, () => countRows(folder, table)));
      }
      // A list that is damaged may look like one of a newer version before its hash tells.
      await readThrough(folder, files);
      let listed = 0;
      for await (const _ of readFileList(readPackedContent(folder, files))) listed += 1;
      sums.files += listed;
      if (listed !== files.count) faults.push(`${name}: ${sayListed(listed, files.count)}`);
      lists.push({ name, files });
    });
  }
  for (const isOfPass of passesFor(Math.max(0, ...lists.map(({ files }) => files.count)), contentsAtOnce)) {
    read = makeContentSet();
    for (const { name, files } of lists) {
      say(`Reading the files of ${name}`);
      await attempt(name, name, async () => {
        for await (const file of readFileList(readPackedContent(folder, files)))
          if (isOfPass(file.sha256)) await attempt(name, `${name}, ${file.key}`, () => once(file, () => readThrough(folder, file)));
      });
    }
  }
  if (sums.snapshots === 0) unchecked.push(`${folder.root} contains no snapshots.`);
  return { ...sums, faults, unchecked };
}

async function countRows(folder: BackupFolder, table: DumpedTable): Promise<void> {
  let rows = 0;
  for await (const chunk of readPackedContent(folder, table)) {
    // Line breaks within a value are written as \n: each real one ends a row.
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1;
  }
  if (rows !== table.rows) throw new ContentFault(`has ${rows} rows instead of ${table.rows}`);
}

async function readThrough(folder: BackupFolder, content: Content): Promise<void> {
  for await (const _ of readContent(folder, content));
}
