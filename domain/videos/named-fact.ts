import { z } from 'zod';
import { limits, serverLimits } from '#contract/limits.ts';
import type { Moment, MomentKind, MomentSource } from '../moments/moment.ts';
import { cleanText, holdsEmailAddress } from './clean-text.ts';

const factMomentLengthMs = 2_000;
const Second = z.number().min(0).max(serverLimits.toldSecondsMax);

/** A second at which something begins to be seen or heard, or how long it is. */
const When = z.union([Second, z.object({ start: Second, end: Second })]);

/** A person, label or brand: a bare name stands for the whole film, `at` says at which seconds it is to be seen or heard. */
export const NamedFact = z.union([
  z.string(),
  z.object({ name: z.string(), at: z.array(When).max(serverLimits.timesPerNameMax).optional(), start: Second.optional() }),
]);
export type NamedFact = z.infer<typeof NamedFact>;

/** The names of some facts, each once, in order; a name that holds an e-mail address is left out. */
export function namesOf(facts: readonly NamedFact[]): string[] {
  const names = facts.map((fact) => cleanText(typeof fact === 'string' ? fact : fact.name, limits.givenNameMaxCodePoints));
  return [...new Set(names.filter((name) => name !== '' && !holdsEmailAddress(name)))];
}

/** The moments of the facts that say when. */
export function momentsOfFacts(facts: readonly NamedFact[], kind: MomentKind, source: MomentSource): Moment[] {
  return facts.flatMap((fact) => {
    if (typeof fact === 'string') return [];
    const [text] = namesOf([fact]);
    if (text === undefined) return [];
    const times = fact.at ?? (fact.start === undefined ? [] : [fact.start]);
    return times.map((when): Moment => {
      const startMs = Math.round((typeof when === 'number' ? when : when.start) * 1_000);
      const endMs = typeof when === 'number' ? startMs + factMomentLengthMs : Math.max(startMs, Math.round(when.end * 1_000));
      return { kind, startMs, endMs, text, source, confidencePercent: 100 };
    });
  });
}
