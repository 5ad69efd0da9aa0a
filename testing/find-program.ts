import { delimiter } from 'node:path';
import { findOnPath } from './find-on-path.ts';
import { installDebianPackage } from './install-debian-package.ts';

/** A program that a test needs beside the product: its path, from Debian's package (as root) where it is missing, else undefined. */
export function findProgram(name: string, debianPackage = name): string | undefined {
  // Debian keeps servers where only root looks.
  process.env.PATH = [process.env.PATH, '/usr/sbin'].join(delimiter);
  return findOnPath([name]) ?? (installDebianPackage(debianPackage) ? findOnPath([name]) : undefined);
}

/** What a test says that has to do without. */
export function isMissing(name: string): string {
  return `${name} is not installed here, and only root on Debian may install it for a test`;
}
