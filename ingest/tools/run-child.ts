import { join, resolve } from 'node:path';
import type { z } from 'zod';
import { parseJson } from '#domain/system/parse-json.ts';
import { makeRefusal, StepFailure } from '../step-failure.ts';
import { JobLine } from './child-job.ts';
import type { MediaInput } from './media-tools.ts';
import { runHeld } from './run-held.ts';
import { describeToolEnd } from './run-tool.ts';
import type { Sandbox } from './sandbox.ts';

const root = resolve(import.meta.dirname, '..', '..');
// All that a child loads; the data folder, which may lie beside them, is not among them.
const programs = ['package.json', 'node_modules', 'contract', 'domain', 'ingest'].map((name) => join(root, name));

/** A job for a process of our own inside the walls. */
export interface ChildCall<T> {
  /** The module that does it, with `doChildJob`. */
  readonly file: string;
  readonly job: unknown;
  /** For people, when it fails: what was done, as a sentence begins. */
  readonly doing: string;
  readonly Result: z.ZodType<T>;
  /** Files that it reads beside the input, by their paths. */
  readonly models?: readonly string[];
}

/**
 * Runs a job in a process of its own, since a fault in native code ends the whole process. Throws a StepFailure: the refusal that the child
 * told, or one that may do better when tried again.
 */
export async function runChild<T>(sandbox: Sandbox, input: MediaInput, { file, job, doing, Result, models }: ChildCall<T>): Promise<T> {
  let last: JobLine | undefined;
  const { exitCode, stderr } = await runHeld(sandbox, input, {
    command: process.execPath,
    args: [file, JSON.stringify(job)],
    programs,
    ...(models ? { models } : {}),
    onLine: (line) => {
      const parsed = JobLine.safeParse(parseJson(line));
      if (!parsed.success) return undefined;
      if ('second' in parsed.data) return parsed.data.second;
      last = parsed.data;
      return undefined;
    },
  });
  if (last && 'refused' in last) throw makeRefusal(last.refused, last.message);
  if (exitCode === 0 && last && 'result' in last) return Result.parse(last.result);
  if (/ENOSPC|No space left/.test(stderr)) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
  const details = describeToolEnd({ exitCode, stderr });
  throw new StepFailure({ is: 'try-again' }, `${doing} failed: the program ended before it was done.`, { details });
}
