import { z } from 'zod';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { type RefusalCode, refusalCodes } from '../step-failure.ts';

/** The lines that a child with one job prints: how far it is, and at last what came out. */
export const JobLine = z.union([
  z.object({ second: z.number() }),
  z.object({ result: z.unknown() }),
  z.object({ refused: z.enum(refusalCodes), message: z.string() }),
]);
export type JobLine = z.infer<typeof JobLine>;

/** Why a job's file is refused, where no other try can mend that. */
export interface JobRefusal {
  readonly refused: RefusalCode;
  readonly message: string;
}

/**
 * Does the one job of this process, which stands in its first argument, and prints what came out. `tellSecond` says how far the work is,
 * in seconds of the film.
 */
export async function doChildJob<T>(
  Job: z.ZodType<T>,
  run: (job: T, tellSecond: (second: number) => void) => Promise<unknown>,
  refusalOf: (error: unknown, job: T) => JobRefusal | undefined = () => undefined,
): Promise<void> {
  const job = Job.parse(JSON.parse(process.argv[2] ?? ''));
  try {
    say({
      result:
        (await run(
          job,
          throttle((second) => say({ second })),
        )) ?? null,
    });
    // Native threads may outlive their work.
    process.exitCode = 0;
  } catch (error) {
    const refused = refusalOf(error, job);
    if (refused) say(refused);
    process.stderr.write(`${errorMessageOf(error)}\n`);
    process.exitCode = 1;
  }
}

function say(line: JobLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function throttle(tell: (second: number) => void): (second: number) => void {
  const everyMs = 1_000;
  let lastMs = 0;
  return (second) => {
    if (Date.now() - lastMs < everyMs) return;
    lastMs = Date.now();
    tell(second);
  };
}
