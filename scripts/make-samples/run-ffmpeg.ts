import { execFileSync } from 'node:child_process';

/** Runs ffmpeg to its end; its own words are the error. */
export function runFfmpeg(args: string[]): void {
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
}
