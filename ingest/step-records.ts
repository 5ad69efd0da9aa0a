import { serverLimits } from '#contract/limits.ts';
import type { StepRecord } from '#domain/videos/record-step.ts';
import type { FootageInHand, Step } from './step.ts';

/** What is noted of a film's steps, by their names. */
export type StepRecords = ReadonlyMap<string, StepRecord>;

/** Whether a step is to be run now: it waits, was cut off, or has tries left; or what it found out has another shape by now. */
export function isDue(step: Step, records: StepRecords, { isPublished }: Pick<FootageInHand['video'], 'isPublished'>): boolean {
  const record = records.get(step.name);
  switch (record?.state) {
    case 'waiting':
    case 'running':
      return true;
    case 'failed':
      // What a film cannot do without is tried for as long as its job is.
      return record.attempts < serverLimits.triesPerJob || !(step.optional || isPublished);
    case 'done':
      return !hasResult(step, records);
    default:
      return false;
  }
}

/** What a step cannot run without: `given-up` where the film goes without both, until somebody has it done again. */
interface MissingNeed {
  readonly name: string;
  readonly is: 'to-come' | 'given-up';
}

/** A step without whose result this one cannot run. What is needed by one that must be run may be missing where a film can do without it. */
export function missingNeedOf(step: Step, records: StepRecords): MissingNeed | undefined {
  const missing = step.needs.find((need) => (step.optional || !need.optional) && !hasResult(need, records));
  if (!missing) return undefined;
  const state = records.get(missing.name)?.state;
  return { name: missing.name, is: step.optional && (state === 'skipped' || state === 'failed') ? 'given-up' : 'to-come' };
}

/** What a step found out when it was last done. Throws where it was not. */
export function resultOf<T>({ name, Result }: Step<T>, records: StepRecords): T {
  const result = readResultIfAny({ name, Result }, records);
  if (result !== undefined) return result;
  throw new Error(`the step ${name} has no result`);
}

/** What a step found out when it was last done; undefined where it was not. */
export function readResultIfAny<T>({ name, Result }: Pick<Step<T>, 'name' | 'Result'>, records: StepRecords): T | undefined {
  return Result.safeParse(records.get(name)?.result).data;
}

function hasResult({ name, Result }: Step, records: StepRecords): boolean {
  return Result.safeParse(records.get(name)?.result).success;
}

/** The names of all steps that need or follow this one, directly or not. */
export function namesOfNeeding(step: Step, steps: readonly Step[]): string[] {
  const before = ({ needs, follows = [] }: Step) => [...needs, ...follows];
  const needs = (one: Step): boolean => before(one).some((need) => need.name === step.name || needs(need));
  return steps.filter(needs).map(({ name }) => name);
}
