import { findOnPath } from './find-on-path.ts';
import { installDebianPackage } from './install-debian-package.ts';

/**
 * The ffmpeg that tests make media with, and by FFMPEG_PATH also read it with: the one that is set, else the one on the PATH, else the
 * package of Debian (as root). Undefined where there is none: tests that need it are then skipped, and say so.
 */
export function findFfmpeg(): string | undefined {
  const set = process.env.FFMPEG_PATH;
  if (set) return set;
  return findOnPath(['ffmpeg']) ?? (installDebianPackage('ffmpeg') ? findOnPath(['ffmpeg']) : undefined);
}
