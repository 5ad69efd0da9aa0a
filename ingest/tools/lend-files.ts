import { chmod, lchown, lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '#domain/db/error-message.ts';
import { StepFailure } from '../step-failure.ts';
import type { DecoderCall } from './decoder-call.ts';

/**
 * Lets another user read the inputs, as the group that they belong to, and write into the outputs, as their owner. That nobody else may
 * look into the folder of the archive stays as it is. Throws a StepFailure when the file system does not allow it.
 */
export async function lendFiles({ inputs, outputs }: DecoderCall, user: number): Promise<void> {
  try {
    for (const input of inputs) await lendToRead(input, user);
    for (const output of outputs) await walk(output, (path) => lchown(path, user, user));
  } catch (error) {
    throw new StepFailure(
      { is: 'tool-missing' },
      `A file could not be given to the user that decoders run as (${errorMessage(error)}): its file system has to keep owners, or the worker has to run as an ordinary user.`,
    );
  }
}

/** Makes all that a decoder left this process's own. Throws when there is anything but plain files and folders. */
export async function takeBack({ outputs }: DecoderCall): Promise<void> {
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  for (const output of outputs) await walk(output, (path, owner) => (owner === user ? undefined : lchown(path, user, group)));
}

async function lendToRead(path: string, user: number): Promise<void> {
  const { uid, gid, mode } = await stat(path);
  const isReadable = (mode & 0o004) !== 0 || uid === user || (gid === user && (mode & 0o040) !== 0);
  if (isReadable) return;
  await lchown(path, uid, user);
  await chmod(path, (mode & 0o7777) | 0o040);
}

/** Nothing of it is followed: a link that a decoder left would lead the archive, and its viewers, to another file. */
async function walk(path: string, visit: (path: string, owner: number) => Promise<void> | undefined): Promise<void> {
  const found = await lstat(path);
  if (!found.isFile() && !found.isDirectory()) throw new Error(`A decoder left ${path}, which is no plain file.`);
  await visit(path, found.uid);
  if (found.isFile()) return;
  for (const name of await readdir(path)) await walk(join(path, name), visit);
}
