import type { MomentKind } from '../moments/moment.ts';
import type { MomentText } from '../moments/packed-moments.ts';
import { tokensOf } from '../words/tokens.ts';
import { wordCodesOf } from './word-code.ts';

/** What a video is called and who and what is in it. */
export interface HeadFacts {
  readonly name: string;
  readonly description: string | null;
  readonly owner: string | null;
  readonly people: readonly string[];
  readonly brands: readonly string[];
  readonly labels: readonly string[];
}

/** The lines of a head row, in this order, always all of them. */
export const headFields = ['title', 'people', 'brands', 'labels', 'owner', 'description'] as const;
export type HeadField = (typeof headFields)[number];

/** The text of a video's head row: a line of words per field. Speakers count as people. */
export function headText(facts: HeadFacts, moments: readonly MomentText[]): string {
  const named = (kind: MomentKind) => moments.filter((moment) => moment.kind === kind).map((moment) => moment.text);
  const speakers = moments.flatMap((moment) => moment.speaker ?? []);
  const lines: Record<HeadField, readonly string[]> = {
    title: [facts.name],
    people: [...facts.people, ...named('Face'), ...speakers],
    brands: [...facts.brands, ...named('Brand')],
    labels: [...facts.labels, ...named('Annotations')],
    owner: [facts.owner ?? ''],
    description: [facts.description ?? ''],
  };
  return headFields.map((field) => [...new Set(lines[field])].map((text) => tokensOf(text).join(' ')).join(' ')).join('\n');
}

/** The same as the index writes it: the codes of its words. */
export function headWords(facts: HeadFacts, moments: readonly MomentText[]): Int32Array {
  return wordCodesOf(headText(facts, moments));
}
