import type { Query, QueryField } from '../query/query.ts';
import { type Alternative, type SearchPlan, significantConcepts } from '../query/search-plan.ts';
import { fit, lackingFit, ofName } from '../weights.ts';
import type { KnownName, KnownNames, NameKind } from './known-names.ts';

export interface FoundName {
  readonly name: KnownName;
  readonly score: number;
}

const kindOfField: Partial<Record<QueryField, NameKind>> = { title: 'Title', person: 'Face', brand: 'Brand' };

/** Words in a row that meet what is asked for; of an open one the last is a beginning. */
interface Way {
  readonly tokens: readonly string[];
  readonly isOpen: boolean;
  /** As it stands in the words of a name. */
  readonly words: string;
  readonly fit: number;
  readonly kind: NameKind | undefined;
}

/**
 * The names that hold everything that is asked for, best first, at most `perKind` of each kind. Those that begin as the
 * query does come first, then the exact words, then what more videos carry.
 */
export function findNames(
  names: KnownNames,
  { query, plan }: { query: Query; plan: SearchPlan },
  perKind: number,
): Record<NameKind, FoundName[]> {
  const best: Record<NameKind, FoundName[]> = { Title: [], Face: [], Brand: [] };
  const wanted = significantConcepts(plan).map((n) => waysOf(query, plan, n));
  const typed = ` ${query.concepts.flatMap(({ anyOf }) => anyOf[0]?.tokens ?? []).join(' ')}`;
  const seen = new Set<KnownName>();
  for (const name of candidates(names, wanted)) {
    if (seen.has(name)) continue;
    seen.add(name);
    const held = Math.min(...wanted.map((ways) => fitOf(ways, name)));
    if (held > 0) offer(best[name.kind], { name, score: held + placeShare(name.words.indexOf(typed)) }, perKind);
  }
  return best;
}

function placeShare(at: number): number {
  if (at === 0) return ofName.atStart;
  return at > 0 ? ofName.atWord : 0;
}

/** What may stand for a word is taken over from the plan, but for its endings: here any word that begins so will do. */
function waysOf(query: Query, plan: SearchPlan, n: number): Way[] {
  const open = query.concepts[n]?.anyOf.filter((term) => term.open) ?? [];
  const isEnding = (way: Alternative) => open.length > 0 && (way.fit === fit.begun || way.fit === fit.begunBeside);
  const whole = plan.concepts[n]?.alternatives.filter((way) => way.fit > lackingFit && !isEnding(way)) ?? [];
  return [
    ...whole.flatMap((way) => wayOf(way, false)),
    ...open.flatMap(({ tokens, field }) => wayOf({ tokens, fit: fit.begun, field }, true)),
  ];
}

/** None for what was said, written or seen: that is no name. */
function wayOf({ tokens, fit, field }: Alternative, isOpen: boolean): Way[] {
  const kind = field && kindOfField[field];
  if (field && !kind) return [];
  return [{ tokens, isOpen, words: ` ${tokens.join(' ')}${isOpen ? '' : ' '}`, fit, kind }];
}

function fitOf(ways: readonly Way[], name: KnownName): number {
  let best = 0;
  for (const { fit, kind, words } of ways) {
    if (fit > best && (kind === undefined || kind === name.kind) && name.words.includes(words)) best = fit;
  }
  return best;
}

/** Names that meet one of the things asked for: the one that the fewest do. */
function candidates(names: KnownNames, wanted: readonly Way[][]): Iterable<KnownName> {
  const [rarest = []] = wanted.toSorted((a, b) => countOf(names, a) - countOf(names, b));
  return rarest
    .values()
    .flatMap((way) => (isBeginning(way) ? names.withBeginning(way.tokens[0] ?? '') : names.withWord(way.tokens[0] ?? '')));
}

const isBeginning = ({ isOpen, tokens }: Way) => isOpen && tokens.length === 1;

function countOf(names: KnownNames, ways: readonly Way[]): number {
  return ways.reduce((sum, way) => {
    const [first = ''] = way.tokens;
    return sum + (isBeginning(way) ? names.wordsWithBeginning(first) * namesPerWord : names.withWord(first).length);
  }, 0);
}

/** A rough measure. */
const namesPerWord = 8;

/** Keeps a list of the best, in order. */
function offer(best: FoundName[], found: FoundName, limit: number): void {
  const place = best.findIndex((other) => isBefore(found, other));
  if (place < 0 && best.length >= limit) return;
  best.splice(place < 0 ? best.length : place, 0, found);
  if (best.length > limit) best.pop();
}

function isBefore(a: FoundName, b: FoundName): boolean {
  if (a.score !== b.score) return a.score > b.score;
  if (a.name.videos.length !== b.name.videos.length) return a.name.videos.length > b.name.videos.length;
  return a.name.words < b.name.words;
}
