import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { isWithin } from '../system/is-within.ts';
import { parseJson } from '../system/parse-json.ts';
import { type BackupFolder, type BucketPlace, readText, toBackupFolder, toBucketFolder } from './backup-folder.ts';

const Label = z.object({ format: z.number(), archive: z.string() });

/** Where backups lie: the path of a folder, or a place in a bucket. */
export type BackupPlace = string | BucketPlace;

/**
 * Makes a place a folder of backups of this archive, or finds that it is one; only the owner of a folder may look into it. Throws a sentence
 * when it holds something else, another archive's backups, or lies within the data folder or around it, and for one of the `known` that
 * holds none any more: a disk that is not mounted leaves an empty folder on the very disk that backups are to outlive.
 */
export async function makeBackupFolder(
  place: BackupPlace,
  of: { archive: string; dataFolder: string; known: readonly string[] },
): Promise<BackupFolder> {
  const folder = typeof place === 'string' ? toBackupFolder(place) : toBucketFolder(place);
  if (typeof place === 'string' && (isWithin(folder.root, of.dataFolder) || isWithin(of.dataFolder, folder.root)))
    throw new Error(
      `${folder.root} and the data folder ${resolve(of.dataFolder)} must not contain each other; use a folder elsewhere, ideally on another disk.`,
    );
  const label = await readText(folder, folder.label);
  if (label !== null) {
    const { archive } = parseLabel(folder, label);
    if (archive !== of.archive) throw new Error(`${folder.root} contains the backups of another archive; use another folder.`);
  } else {
    if (of.known.includes(folder.root))
      throw new Error(
        `${folder.root} held backups of this archive and holds none now. If its disk is not mounted, mount it; to begin a new set there, add --anew.`,
      );
    if (typeof place === 'string' ? existsSync(folder.root) && !isEmptyFolder(folder.root) : await holdsAnything(folder))
      throw new Error(`${folder.root} is not empty and contains no Rushes backups; use a new folder.`);
    if (typeof place === 'string') {
      await mkdir(folder.root, { recursive: true, mode: 0o700 });
      await chmod(folder.root, 0o700);
    }
    await folder.files.write(folder.label, `${JSON.stringify({ format: 1, archive: of.archive })}\n`);
  }
  const parts = typeof place === 'string' ? [folder.snapshots, folder.contents, folder.incoming] : [folder.incoming];
  for (const part of parts) await mkdir(part, { recursive: true, mode: 0o700 });
  return folder;
}

/** What a place is called: its path, or `s3://bucket/prefix`. */
export function rootOf(place: BackupPlace): string {
  return typeof place === 'string' ? toBackupFolder(place).root : toBucketFolder(place).root;
}

/** A folder of backups that is there. Throws a sentence when it is none. */
export async function openBackupFolder(place: BackupPlace): Promise<BackupFolder & { readonly archive: string }> {
  const folder = typeof place === 'string' ? toBackupFolder(place) : toBucketFolder(place);
  const label = await readText(folder, folder.label);
  if (label === null) throw new Error(`${folder.root} contains no Rushes backups: its rushes-backup.json is missing.`);
  return { ...folder, archive: parseLabel(folder, label).archive };
}

function parseLabel(folder: BackupFolder, text: string): z.infer<typeof Label> {
  const label = Label.safeParse(parseJson(text));
  if (!label.success) throw new Error(`${folder.label} is damaged.`);
  if (label.data.format !== 1) throw new Error(`${folder.root} was written by a newer version of Rushes; use that version.`);
  return label.data;
}

function isEmptyFolder(path: string): boolean {
  return lstatSync(path).isDirectory() && readdirSync(path).every((name) => name === 'lost+found');
}

async function holdsAnything({ files, root }: BackupFolder): Promise<boolean> {
  for await (const _ of files.list(root)) return true;
  return false;
}
