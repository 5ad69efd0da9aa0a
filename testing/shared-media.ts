import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * The folder of real footage and transcripts that some tests and benchmarks measure by; it is no part of the repository. Name yours in
 * RUSHES_TEST_MEDIA.
 */
export const mediaFolder = process.env.RUSHES_TEST_MEDIA ?? resolve(import.meta.dirname, '..', '..', 'shared', 'media');

/** The same where it is there, with films in it. */
export function sharedMedia(): string | undefined {
  return existsSync(join(mediaFolder, 'videos')) ? mediaFolder : undefined;
}
