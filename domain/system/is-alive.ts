import { errorCode } from './error-code.ts';

/** Whether a process has this number, as far as this one can see: a number of another container may be nobody's here, or anybody's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
