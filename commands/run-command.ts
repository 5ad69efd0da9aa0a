import { errorMessageOf } from '#domain/system/error-message.ts';

/** Says what a command came to. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Says how it goes on, and what is wrong. */
export function log(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Runs what a person has started; `run` gives the exit code. What it throws is said in one line, without a stack, and the code is 1 then. */
export async function runCommand(run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    log(errorMessageOf(error));
    process.exitCode = 1;
  }
}
