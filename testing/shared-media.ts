import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The folder of shared real footage that some tests measure themselves by, or undefined: RUSHES_TEST_MEDIA, else
 * `../shared/media` beside the repository. It is no part of the repository.
 */
export function sharedMedia(): string | undefined {
  const folder = process.env.RUSHES_TEST_MEDIA ?? resolve(import.meta.dirname, '..', '..', 'shared', 'media');
  return existsSync(join(folder, 'videos')) ? folder : undefined;
}
