import { dirname } from 'node:path';
import { errorCodeOf } from '#domain/system/error-code.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';

/**
 * Why a file or folder that was to be imported could not be read, and what to do about it, in a sentence or two. Undefined for what is no
 * fault of it nor of what lies beside it: a database or a disk of the archive's own.
 */
export function explainUnread(error: unknown, path: string): string | undefined {
  if (!isAbout(error, path)) return undefined;
  // What is not valid UTF-8 in a name is read as this sign, and there is no file of that name.
  if (error.code === 'ENOENT' && path.includes('\ufffd')) return 'Its name is not valid UTF-8. Rename it.';
  if (error.code === 'ENOENT' && error.path === path) return 'It was moved or deleted meanwhile. Import it from where it lies now.';
  if (error.code === 'EACCES' || error.code === 'EPERM') return 'It may not be read. Give the user who runs the import read permission.';
  return `It could not be read (${errorMessageOf(error)}). Check its disk or share, and import it again.`;
}

function isAbout(error: unknown, path: string): error is NodeJS.ErrnoException {
  if (!(error instanceof Error) || !('syscall' in error)) return false;
  const at = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  // What goes wrong with an open file does not name it.
  if (at === undefined) return error.syscall === 'read' && ['EIO', 'ESTALE'].includes(errorCodeOf(error));
  return at === dirname(path) || dirname(at) === dirname(path);
}
