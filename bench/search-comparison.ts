import { percentile } from './percentile.ts';
import { type Question, type QuestionClass, questionClasses } from './search-questions.ts';

/** Milliseconds of every round of a question, on both sides. */
export interface TimedQuestion extends Question {
  readonly ours: readonly number[];
  readonly peer: readonly number[];
}

/** Classes that came later than the bars: counted on their own, so that figures can be compared with earlier ones. */
const onTheirOwn: readonly QuestionClass[] = ['sounds', 'field', 'suggest'];

/** The figures of both sides and their ratios, of plain questions, of all and class by class, and the slowest answer of ours. */
export function comparison(times: readonly TimedQuestion[]) {
  const ofClasses = questionClasses.map((kind) => [kind, bothSides(times.filter((timed) => timed.class === kind))] as const);
  const slowest = times.map((timed) => ({ ...timed, ms: percentile(timed.ours, 1) })).sort((a, b) => b.ms - a.ms)[0];
  return {
    ...bothSides(times.filter((timed) => !onTheirOwn.includes(timed.class))),
    ofAll: bothSides(times).ratio,
    classes: Object.fromEntries(ofClasses),
    worst: slowest && { class: slowest.class, query: slowest.query, ms: slowest.ms },
  };
}

function bothSides(times: readonly TimedQuestion[]) {
  const of = (side: 'ours' | 'peer') => {
    const all = times.flatMap((timed) => timed[side]);
    return { p50Ms: percentile(all, 0.5), p95Ms: percentile(all, 0.95), maxMs: percentile(all, 1) };
  };
  const [ours, peer] = [of('ours'), of('peer')];
  const ratio = (figure: keyof typeof ours) => Math.round((ours[figure] / peer[figure]) * 1_000) / 1_000;
  return { ours, peer, ratio: { p50: ratio('p50Ms'), p95: ratio('p95Ms'), max: ratio('maxMs') } };
}
