import { type MatchKind, matchKindOf } from '#contract/match-kinds.ts';
import { type LengthFilter, lengthOf, type NarrowingGroup, narrowings, type SearchOrder } from '#contract/narrowing.ts';
import type { MatchCounts } from '../match/count-matches.ts';

/** Names are whole ones; of several names of a group any will do. */
interface Filters {
  readonly kinds: readonly MatchKind[];
  readonly length: LengthFilter;
  /** Only what can be played in this archive. */
  readonly playable: true;
  readonly people: readonly string[];
  readonly labels: readonly string[];
  readonly brands: readonly string[];
}

/** What an answer is narrowed to, and its order. */
export type Narrowing = { readonly sort?: SearchOrder | undefined } & {
  readonly [Group in NarrowingGroup]?: Filters[Group] | undefined;
};

/** What of a video decides whether it stays in a narrowed answer. Duration in seconds. */
export interface Narrowed {
  readonly durationInSeconds: number;
  readonly isPlayable: boolean;
  readonly counts: MatchCounts;
  readonly people: readonly string[];
  readonly labels: readonly string[];
  readonly brands: readonly string[];
}

const groups = narrowings.map(({ group }) => group);

/** Whether anything is left out or put in another order than that of the search. */
export function isNarrowing(narrowing: Narrowing | undefined): narrowing is Narrowing {
  return narrowing !== undefined && ((narrowing.sort ?? 'best') !== 'best' || groups.some((group) => narrowing[group] !== undefined));
}

/** Tells which videos stay. `except`: a group whose filter is left out. */
export function fitsNarrowing(narrowing: Narrowing, except?: NarrowingGroup): (video: Narrowed) => boolean {
  const tests = groups.flatMap((group) => (group === except ? [] : (testOf(narrowing, group) ?? [])));
  return (video) => tests.every((test) => test(video));
}

function testOf({ kinds, length, playable, ...names }: Narrowing, group: NarrowingGroup): ((video: Narrowed) => boolean) | undefined {
  if (group === 'kinds') return kinds && (({ counts }) => countOfKinds(counts, kinds) > 0);
  // The length that is shown is a whole number of seconds.
  if (group === 'length') return length && (({ durationInSeconds }) => lengthOf(Math.round(durationInSeconds)) === length);
  if (group === 'playable') return playable && (({ isPlayable }) => isPlayable);
  const wanted = names[group] && new Set(names[group].map(foldName));
  return wanted && ((video) => video[group].some((name) => wanted.has(foldName(name))));
}

/** What two names have to share to be the same one. */
export function foldName(name: string): string {
  return name.trim().toLowerCase();
}

/** Moments of these kinds, of all kinds without any. What borrows a kind's wording counts as one of it. */
export function countOfKinds(counts: MatchCounts, kinds: readonly MatchKind[] | undefined): number {
  const wanted = kinds && new Set(kinds);
  return Object.entries(counts).reduce((sum, [kind, count]) => sum + (!wanted || wanted.has(matchKindOf(kind)) ? count : 0), 0);
}
