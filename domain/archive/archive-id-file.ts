import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ArchiveFolder } from '../files/archive-folder.ts';
import { createOnce, readIfPresent, replaceFile } from '../system/durable-file.ts';
import { OperatorFault } from '../system/operator-fault.ts';

const ArchiveId = z.guid();

/** Which archive this data folder belongs to, as it says itself; null where it does not say. Throws an OperatorFault when that is damaged. */
export function readArchiveId({ root }: ArchiveFolder): string | null {
  const text = readIfPresent(fileOf(root));
  return text === null ? null : parse(text, root);
}

/** Says which archive this folder belongs to unless it says so already, safe on disk; returns what it says then. */
export function keepArchiveId({ root }: ArchiveFolder, id: string): string {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return parse(createOnce(fileOf(root), `${id}\n`), root);
}

/** Says that this folder belongs to another archive from now on. */
export function replaceArchiveId({ root }: ArchiveFolder, id: string): void {
  replaceFile(fileOf(root), `${id}\n`);
}

function parse(text: string, root: string): string {
  const parsed = ArchiveId.safeParse(text.trim());
  if (parsed.success) return parsed.data;
  throw new OperatorFault(
    `${fileOf(root)} is damaged: restore it from a backup, or remove it; npm run adopt then says whether this folder and the database belong together.`,
  );
}

function fileOf(root: string): string {
  return join(root, 'archive-id');
}
