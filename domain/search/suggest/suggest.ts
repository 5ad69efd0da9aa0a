import { toDisplayName } from '#contract/display-name.ts';
import { limits } from '#contract/limits.ts';
import type { Pool } from '../../db/database.ts';
import { SearchTimeout } from '../../scheduling/search-timeout.ts';
import { IndexNotReady } from '../../search-index/index-not-ready.ts';
import { findVideos } from '../../videos/find-videos.ts';
import { tokensOf } from '../../words/tokens.ts';
import { searchedFor } from '../match/explain-answer.ts';
import { findHeadMatches } from '../match/head-matches.ts';
import { markBeginnings } from '../match/marked-ranges.ts';
import type { MomentMatch } from '../match/moment-match.ts';
import { planMatcher } from '../match/plan-matcher.ts';
import { expandQuery } from '../query/expand-query.ts';
import { parseQuery } from '../query/parse-query.ts';
import type { Query, QueryField } from '../query/query.ts';
import { type Alternative, type SearchPlan, significantConceptsOf } from '../query/search-plan.ts';
import type { SearchRun } from '../search-parts.ts';
import type { FoundVideo, SearchAnswer, SearchRequest } from '../search-request.ts';
import { searchVideos } from '../search-videos.ts';
import { fit, lackingFit, ofName } from '../weights.ts';
import { type KnownName, type KnownNames, type SuggestedKind, suggestedKinds } from './known-names.ts';
import { suggestMoments } from './suggested-moments.ts';

/*
 * This room answers while somebody types, and where nothing was found: names from memory, moments by a short look, nearest queries.
 */

/** What somebody has typed so far, and how many titles, people, brands and moments each to offer at most. */
export interface SuggestRequest {
  readonly query: readonly string[];
  readonly perKind?: number | undefined;
  readonly withoutMoments?: boolean;
  readonly hidden?: SearchRequest['hidden'];
}

/**
 * What somebody may mean who has typed so far: titles, people and brands that hold all of it, then the best moments. One
 * page, with no counts but those of the names' videos. A text with conditions is searched as such. Throws `query_too_long` and `SearchTimeout`.
 */
export async function suggest(search: SearchRun, request: SuggestRequest): Promise<SearchAnswer> {
  const { perKind = limits.suggestionsPerKind, withoutMoments = false, hidden } = request;
  const [typed = ''] = request.query.filter((text) => text.trim() !== '');
  const { languages } = await search.vocabulary.for();
  const query = parseQuery(typed, { languages, suggesting: true });
  if (hasConditions(query)) {
    const wanted = { query: [typed], skip: 0, pageSize: 2 * perKind, purpose: 'suggestions', hidden } as const;
    return asTyped(await searchVideos(search, wanted), query);
  }
  const words = query.concepts.flatMap(({ anyOf }) => anyOf.flatMap(({ tokens }) => tokens));
  if (words.length === 0) return toOnePage([]);
  const vocabulary = await search.vocabulary.for(words);
  const plan = expandQuery(query, vocabulary);
  const [names, moments] = await Promise.all([
    search.names
      .current()
      .then((known) => findNamedVideos(search.pool, { query, plan }, findNames(known, { query, plan, hidden }, perKind))),
    withoutMoments ? [] : suggestMoments(search, { plan, vocabulary, hidden }, perKind).catch(goOnWithout),
  ]);
  const answer = asTyped(toOnePage([...names, ...withoutNames(moments, names, perKind)]), query);
  const taken = searchedFor(typed, plan, { matches: answer.results.flatMap(({ matches }) => matches), hidden });
  return taken && answer.results.length > 0 ? { ...answer, searchedFor: taken } : answer;
}

/** Of the word that is being typed only the beginning is there yet. */
function asTyped(answer: SearchAnswer, { concepts }: Query): SearchAnswer {
  const beginnings = concepts.flatMap(({ anyOf }) => anyOf.flatMap(({ open, tokens }) => (open ? tokens.slice(-1) : [])));
  const results = answer.results.map((found) => ({ ...found, matches: found.matches.map((match) => markBeginnings(match, beginnings)) }));
  return { ...answer, results };
}

/** Names are of use without moments: these come too late, or there is no index to ask for them. */
function goOnWithout(error: unknown): FoundVideo[] {
  if (error instanceof SearchTimeout || error instanceof IndexNotReady) return [];
  throw error;
}

/** Who speaks is often among the names already, or one too many. */
function withoutNames(moments: readonly FoundVideo[], names: readonly FoundVideo[], perKind: number): FoundVideo[] {
  const given = names.flatMap(({ matches }) => matches);
  const isNew = (match: MomentMatch) => {
    if (match.kind !== 'Face' && match.kind !== 'Brand') return true;
    const others = given.filter(({ kind }) => kind === match.kind);
    if (others.length >= perKind || others.some(({ text }) => text === match.text)) return false;
    given.push(match);
    return true;
  };
  return moments.map((found) => ({ ...found, matches: found.matches.filter(isNew) })).filter(({ matches }) => matches.length > 0);
}

function hasConditions({ concepts, not, ids, notIds }: Query): boolean {
  return not.length + ids.length + notIds.length > 0 || concepts.some(({ must }) => must);
}

/** A video stands there once for each of its names, so that names keep their order. */
function toOnePage(results: readonly FoundVideo[]): SearchAnswer {
  return { results, nextPage: { pageSize: Math.max(1, results.length), skip: results.length, done: true } };
}

export interface SuggestedName {
  readonly name: string;
  readonly kind: SuggestedKind;
}

/** The titles, people and brands that the search box offers for what somebody has typed so far, each once. Throws `query_too_long`. */
export async function suggestNames(
  search: SearchRun,
  { typed, hidden }: { typed: string; hidden?: SearchRequest['hidden'] },
): Promise<SuggestedName[]> {
  const { results } = await suggest(search, { query: [typed], withoutMoments: true, hidden });
  const matches = results.flatMap(({ matches }) => matches);
  const ofKind = (kind: SuggestedKind) =>
    matches.filter((match) => match.kind === kind).map(({ text }) => ({ name: toDisplayName(text), kind }));
  const names = suggestedKinds.flatMap(ofKind);
  return [...new Map(names.toReversed().map((one) => [one.name.toLowerCase(), one])).values()].toReversed();
}

/** A video for each name, the newest that carries it, with the name as its only match. */
async function findNamedVideos(
  pool: Pool,
  { query, plan }: { query: Query; plan: SearchPlan },
  found: Record<SuggestedKind, readonly FoundName[]>,
): Promise<FoundVideo[]> {
  const names = suggestedKinds.flatMap((kind) => found[kind].map(({ name }) => name));
  const marking = withEndings(query, plan, names);
  const answering = { plan: marking, matcher: planMatcher(marking) };
  const ids = names.map(({ videos }) => videos.at(-1) ?? '');
  const videos = new Map((await findVideos(pool, [...new Set(ids)])).map((video) => [video.id, video]));
  return names.flatMap((name, n) => {
    const video = videos.get(ids[n] ?? '');
    // It may have been withdrawn since.
    const match = video?.state === 'Processed' && findHeadMatches(video, answering, { named: new Set() }).find((one) => isOf(name, one));
    if (!video || !match) return [];
    const count = name.kind === 'Title' ? {} : { videos: name.videos.length };
    return [{ video, matches: [{ ...match, ...count }], counts: {}, lacks: [] }];
  });
}

function isOf({ kind, words }: KnownName, match: MomentMatch): boolean {
  return match.kind === kind && ` ${tokensOf(match.text).join(' ')} ` === words;
}

/** The plan with the words of these names that begin as what was typed ends: they are to be marked, however rare. */
function withEndings(query: Query, plan: SearchPlan, names: readonly KnownName[]): SearchPlan {
  const concepts = plan.concepts.map((concept, n) => {
    const open = query.concepts[n]?.anyOf.filter((term) => term.open) ?? [];
    const endings = open.flatMap(({ tokens, field }) =>
      names.flatMap(({ words }) => endingsIn(words, ` ${tokens.join(' ')}`).map((ending) => ({ tokens: ending, fit: fit.begun, field }))),
    );
    return { ...concept, alternatives: [...concept.alternatives, ...endings] };
  });
  return { ...plan, concepts };
}

/** Each place at which `words` goes on as `beginning` does, to the end of its last word. */
function endingsIn(words: string, beginning: string): string[][] {
  const endings: string[][] = [];
  for (let at = words.indexOf(beginning); at >= 0; at = words.indexOf(beginning, at + 1)) {
    endings.push(words.slice(at + 1, words.indexOf(' ', at + beginning.length)).split(' '));
  }
  return endings;
}

interface FoundName {
  readonly name: KnownName;
  readonly score: number;
}

const kindOfField: Partial<Record<QueryField, SuggestedKind>> = { title: 'Title', person: 'Face', brand: 'Brand' };

/** Words in a row that meet what is asked for; of an open one the last is a beginning. */
interface Way {
  readonly tokens: readonly string[];
  readonly isOpen: boolean;
  /** As it stands in the words of a name. */
  readonly words: string;
  readonly fit: number;
  readonly kind: SuggestedKind | undefined;
}

/**
 * The names that hold everything that is asked for, best first, at most `perKind` of each kind. Those that begin as the
 * query does come first, then the exact words, then what more videos carry.
 */
function findNames(
  names: KnownNames,
  { query, plan, hidden }: { query: Query; plan: SearchPlan; hidden: SearchRequest['hidden'] },
  perKind: number,
): Record<SuggestedKind, FoundName[]> {
  const best: Record<SuggestedKind, FoundName[]> = { Title: [], Face: [], Brand: [] };
  const wanted = significantConceptsOf(plan).map((n) => waysOf(query, plan, n));
  const typed = ` ${query.concepts.flatMap(({ anyOf }) => anyOf[0]?.tokens ?? []).join(' ')}`;
  const seen = new Set<KnownName>();
  for (const name of candidatesIn(names, wanted)) {
    if (seen.has(name)) continue;
    seen.add(name);
    const held = Math.min(...wanted.map((ways) => fitOf(ways, name)));
    const shown = held > 0 ? toShown(name, hidden) : null;
    if (shown) offer(best[name.kind], { name: shown, score: held + placeShare(name.words.indexOf(typed)) }, perKind);
  }
  return best;
}

/** The name as carried by videos that the reader sees; null where none of them carries it. */
function toShown(name: KnownName, hidden: SearchRequest['hidden']): KnownName | null {
  if (!hidden) return name;
  const videos = name.videos.filter((id) => !hidden.ids.has(id));
  return videos.length > 0 ? { ...name, videos } : null;
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
function candidatesIn(names: KnownNames, wanted: readonly Way[][]): Iterable<KnownName> {
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
