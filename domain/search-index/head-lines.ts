import type { MomentKind } from '../moments/moment.ts';
import type { MomentText } from '../moments/packed-moments.ts';
import { tokensOf } from '../words/tokens.ts';
import { wordCodesOf } from './word-code.ts';

/** What a video is called and who and what is in it. */
export interface HeadFacts {
  readonly name: string;
  readonly description: string | null;
  readonly place: string | null;
  readonly recordedAt: string | null;
  readonly owner: string | null;
  readonly people: readonly string[];
  readonly brands: readonly string[];
  readonly labels: readonly string[];
}

/** The lines of a head row, in this order, always all of them. */
export const headFields = ['title', 'people', 'brands', 'labels', 'owner', 'description'] as const;
export type HeadField = (typeof headFields)[number];

/** What stands before a word that says in which field it stands: no folded word begins so. */
const fieldMarks = { title: '=', person: '@' } as const;
export type MarkedField = keyof typeof fieldMarks;

/** A word as the index finds it only where it stands in this field. Many videos hold a word somewhere, and few are called so. */
export function wordInField(field: MarkedField, word: string): string {
  return fieldMarks[field] + word;
}

/** Whether a word of a row only says where another one stands. */
export function isFieldWord(word: string, from = 0): boolean {
  return word[from] === fieldMarks.title || word[from] === fieldMarks.person;
}

/** What is told of a video as a whole: its description, where it was recorded and in which years. */
export function descriptionsOf({ description, place, recordedAt }: Pick<HeadFacts, 'description' | 'place' | 'recordedAt'>): string[] {
  const years = recordedAt?.match(/(?<!\d)(1[89]|20)\d\d(?!\d)/g) ?? [];
  return [description, place, ...years].flatMap((text) => text || []);
}

/** The text of a video's head row: a line of words per field, and one that says of some where they stand. Speakers count as people. */
export function writeHeadText(facts: HeadFacts, moments: readonly MomentText[]): string {
  const named = (kind: MomentKind) => moments.filter((moment) => moment.kind === kind).map((moment) => moment.text);
  const speakers = moments.flatMap((moment) => moment.speaker ?? []);
  const lines: Record<HeadField, readonly string[]> = {
    title: [facts.name],
    people: [...facts.people, ...named('Face'), ...speakers],
    brands: [...facts.brands, ...named('Brand')],
    labels: [...facts.labels, ...named('Annotations')],
    owner: [facts.owner ?? ''],
    description: descriptionsOf(facts),
  };
  // A phrase that ends in one text does not go on in the next: a word that nobody asks for stands between them.
  const words = (field: HeadField) =>
    [...new Set(lines[field])].flatMap((text, n) => [...(n > 0 ? [fieldMarks.title] : []), ...tokensOf(text)]);
  const marked = (field: MarkedField, of: HeadField) => [...new Set(words(of))].map((word) => wordInField(field, word));
  const fields = headFields.map((field) => words(field).join(' '));
  return [...fields, [...marked('title', 'title'), ...marked('person', 'people')].join(' ')].join('\n');
}

/** The same as the index writes it: the codes of its words. */
export function codeHeadText(facts: HeadFacts, moments: readonly MomentText[]): Int32Array {
  return wordCodesOf(writeHeadText(facts, moments));
}
