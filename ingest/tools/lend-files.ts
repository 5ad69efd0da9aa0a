import { chmod, lchown, lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '#domain/db/error-message.ts';
import { StepFailure } from '../step-failure.ts';

interface Loan {
  /** Makes everything in the outputs this process's own again. Throws when there is anything but plain files and folders. */
  takeBack(): Promise<void>;
}

/**
 * Lets another user read the inputs, as the group that they belong to, and write into the outputs, as their owner. That nobody else may
 * look into the folder of the archive stays as it is. Throws a StepFailure when the file system does not allow it.
 */
export async function lendFiles(
  { inputs, outputs }: { inputs: readonly string[]; outputs: readonly string[] },
  user: number,
): Promise<Loan> {
  try {
    for (const input of inputs) await lendToRead(input, user);
    for (const output of outputs) await giveTree(output, user);
  } catch (error) {
    throw new StepFailure(
      { is: 'tool-missing' },
      `A file could not be given to the user that decoders run as (${errorMessage(error)}): its file system has to keep owners, or the worker has to run as an ordinary user.`,
    );
  }
  return {
    takeBack: async () => {
      for (const output of outputs) await giveTree(output, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    },
  };
}

async function lendToRead(path: string, user: number): Promise<void> {
  const { uid, gid, mode } = await stat(path);
  const isReadable = (mode & 0o004) !== 0 || uid === user || (gid === user && (mode & 0o040) !== 0);
  if (isReadable) return;
  await lchown(path, uid, user);
  await chmod(path, (mode & 0o7777) | 0o040);
}

/** Nothing of it is followed: a link that a decoder left would lead the archive, and its viewers, to another file. */
async function giveTree(path: string, user: number, group = user): Promise<void> {
  const found = await lstat(path);
  if (!found.isFile() && !found.isDirectory()) throw new Error(`A decoder left ${path}, which is no plain file.`);
  if (found.uid !== user || found.gid !== group) await lchown(path, user, group);
  if (found.isFile()) return;
  for (const name of await readdir(path)) await giveTree(join(path, name), user, group);
}
