import { randomBytes } from 'node:crypto';

/** A fresh id in the form that the video service gives: ten hexadecimal digits. */
export function newVideoId(): string {
  return randomBytes(5).toString('hex');
}
