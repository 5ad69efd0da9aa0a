import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../files/parse-json.ts';
import { type BackupFolder, backupFolder } from './backup-folder.ts';
import { writeDurably } from './write-durably.ts';

const Label = z.object({ format: z.number(), archive: z.string() });

/**
 * Makes `path` a folder of backups of this archive, or finds that it is one; only its owner may look into it. Throws a sentence when it
 * holds something else, another archive's backups, or lies within the data folder or around it.
 */
export async function makeBackupFolder(path: string, of: { archive: string; dataFolder: string }): Promise<BackupFolder> {
  const folder = backupFolder(path);
  if (isWithin(folder.root, of.dataFolder) || isWithin(of.dataFolder, folder.root))
    throw new Error(
      `${folder.root} and the data folder ${resolve(of.dataFolder)} lie within each other; take a folder elsewhere, best on another disk.`,
    );
  if (existsSync(folder.label)) {
    const { archive } = await readLabel(folder);
    if (archive !== of.archive) throw new Error(`${folder.root} holds the backups of another archive; name another folder.`);
  } else {
    if (existsSync(folder.root) && !isEmptyFolder(folder.root))
      throw new Error(`${folder.root} is not empty and holds no backups of Rushes; name a new folder.`);
    await mkdir(folder.root, { recursive: true, mode: 0o700 });
    await chmod(folder.root, 0o700);
    await writeDurably(folder.label, `${JSON.stringify({ format: 1, archive: of.archive })}\n`);
  }
  for (const part of [folder.snapshots, folder.contents, folder.incoming]) await mkdir(part, { recursive: true, mode: 0o700 });
  return folder;
}

/** A folder of backups that is there. Throws a sentence when it is none. */
export async function openBackupFolder(path: string): Promise<BackupFolder & { readonly archive: string }> {
  const folder = backupFolder(path);
  if (!existsSync(folder.label)) throw new Error(`${folder.root} holds no backups of Rushes: its rushes-backup.json is missing.`);
  return { ...folder, archive: (await readLabel(folder)).archive };
}

async function readLabel(folder: BackupFolder): Promise<z.infer<typeof Label>> {
  const label = Label.safeParse(parseJson(await readFile(folder.label, 'utf8')));
  if (!label.success) throw new Error(`${folder.label} is damaged.`);
  if (label.data.format !== 1) throw new Error(`${folder.root} was written by a newer version of Rushes; use that version.`);
  return label.data;
}

function isWithin(inner: string, outer: string): boolean {
  return !relative(resolve(outer), resolve(inner)).startsWith('..');
}

function isEmptyFolder(path: string): boolean {
  return lstatSync(path).isDirectory() && readdirSync(path).every((name) => name === 'lost+found');
}
