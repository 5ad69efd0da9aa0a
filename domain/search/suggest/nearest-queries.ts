import { limits, serverLimits } from '#contract/limits.ts';
import type { NearestQuery } from '#contract/video-service/answers.ts';
import { foldText } from '../../words/fold-text.ts';
import { editsBetween, lettersOf } from '../../words/near-terms.ts';
import { toSoundKey } from '../../words/sounds-like.ts';
import { skipToToken, skipToTokenEnd } from '../../words/tokens.ts';
import type { Vocabulary } from '../../words/vocabulary.ts';
import { surveyAnswer } from '../list/survey-answer.ts';
import { inCaseOf } from '../match/explain-answer.ts';
import { hasConditions } from '../match/meets-conditions.ts';
import { expandQuery } from '../query/expand-query.ts';
import { fieldWords, parseQuery, piecesOf, type QueryPiece, type TextPiece, unknownFieldsIn } from '../query/parse-query.ts';
import { type Alternative, type SearchPlan, significantConceptsOf } from '../query/search-plan.ts';
import { rankAlternatives } from '../rank/rank-alternatives.ts';
import type { SearchRun } from '../search-parts.ts';
import type { SearchRequest } from '../search-request.ts';
import { fit, ofNearWord } from '../weights.ts';

const triedMax = 12;
/** A query whose words more videos hold is not counted to its end, and no more videos are read for a condition. */
const countedMax = 200;
const firstVideos = 13;

/**
 * Queries that find something in place of one that finds nothing, or beside one whose field is none (`only`), likeliest first, each with
 * the number of videos that it finds: the true one where few hold its words, else the least that it can be.
 */
export async function findNearestQueries(
  search: SearchRun,
  request: SearchRequest,
  { text, only }: { text: string; only?: 'fields' },
): Promise<NearestQuery[]> {
  const vocabulary = await search.vocabulary.for();
  const all = only ? withFields(text, piecesOf(text)).slice(0, 1) : queriesLike(text, vocabulary);
  const alike = all.filter((one) => [...one].length <= limits.queryMaxCodePoints);
  const offered: NearestQuery[] = [];
  for (const one of alike.slice(0, triedMax)) {
    // Some are of use too.
    if (search.deadline.isOver) break;
    const plan = expandQuery(parseQuery(one, vocabulary), vocabulary);
    if (plan.concepts.length + plan.ids.length === 0) continue;
    const { videos, isAll } = await countVideos(search, { ...request, query: [one] }, { plan, vocabulary });
    if (videos > 0) offered.push({ text: one, videos, ...(isAll ? {} : { orMore: true }) });
    if (offered.length === serverLimits.nearestQueriesMax) break;
  }
  return offered;
}

async function countVideos(
  search: SearchRun,
  request: SearchRequest,
  { plan, vocabulary }: { plan: SearchPlan; vocabulary: Vocabulary },
): Promise<{ videos: number; isAll: boolean }> {
  const holding = significantConceptsOf(plan).flatMap(
    (n) => plan.concepts[n]?.alternatives.map((way) => countVideosHolding(way, vocabulary)) ?? [],
  );
  const isFew = holding.reduce((sum, videos) => sum + videos, 0) <= countedMax;
  const ranking = await rankAlternatives(search, request, { plans: [plan], atLeast: isFew ? serverLimits.rankedVideosMax : firstVideos });
  if (hasConditions(plan)) {
    const few = { videos: ranking.videos.slice(0, countedMax), isComplete: ranking.isComplete && ranking.videos.length <= countedMax };
    const { videos, isAll } = await surveyAnswer(search, { ...few, meetsConditions: new Map() }, { plans: [plan], request });
    return { videos: videos.length, isAll };
  }
  if (ranking.isComplete) return { videos: ranking.videos.length, isAll: true };
  return { videos: Math.max(ranking.videos.length, leavesVideosOut(request, plan) ? 0 : countAtLeast(plan, vocabulary)), isAll: false };
}

/** At most so many videos hold these words in a row. */
function countVideosHolding({ tokens }: Alternative, vocabulary: Vocabulary): number {
  return Math.min(...tokens.map((token) => vocabulary.count(token)));
}

/** At least so many videos are found by the words themselves, where each of them alone finds. */
function countAtLeast(plan: SearchPlan, vocabulary: Vocabulary): number {
  const words = significantConceptsOf(plan).flatMap(
    (n) => plan.concepts[n]?.alternatives.filter((way) => way.fit === fit.exact && way.tokens.length === 1 && !way.field) ?? [],
  );
  return Math.max(0, ...words.map((way) => countVideosHolding(way, vocabulary)));
}

/** Whether anything but words decides which videos are found. */
function leavesVideosOut(
  { ids, externalIds, faces, owners, hidden, createdAfter, createdUntil }: SearchRequest,
  plan: SearchPlan,
): boolean {
  return (
    plan.ids.length + plan.notIds.length > 0 ||
    [ids, externalIds, faces, owners, hidden, createdAfter, createdUntil].some((filter) => filter !== undefined)
  );
}

const spellingsMax = 6;
/** Spellings that go before queries that ask for less. */
const likeliestMax = 3;
const unknownWordsMax = 4;
/** To look for the words near to one takes a pass over all words of the archive, and a query may be made of nothing else. */
const lookedForMax = 8;

/**
 * Queries much like one that found nothing, likeliest first: with a word that the archive does not hold in another spelling,
 * with a field in place of a word that is none, and without a condition, quotation marks or a field. Whether they find anything is not known here.
 */
function queriesLike(text: string, vocabulary: Vocabulary): string[] {
  const pieces = piecesOf(text);
  const spelt = spellOtherwise(text, { pieces, vocabulary });
  const less = [...withFields(text, pieces), ...spelt.slice(0, likeliestMax), ...withoutConditions(text, pieces)];
  const all = [...less, ...spelt.slice(likeliestMax)];
  return [...new Set(all.map((one) => one.trim()))].filter((one) => one !== '' && one !== text.trim());
}

/** A word that occurs nowhere, by its offsets in the query. */
interface UnknownWord {
  readonly from: number;
  readonly to: number;
  readonly spellings: readonly string[];
}

function spellOtherwise(text: string, { pieces, vocabulary }: { pieces: readonly QueryPiece[]; vocabulary: Vocabulary }): string[] {
  const unknown = pieces
    .values()
    .flatMap((piece) => (piece.kind === 'text' && piece.sign !== '-' ? unknownWordsIn(piece, vocabulary) : []))
    .take(lookedForMax)
    .map(({ word, ...offsets }) => ({ ...offsets, spellings: nearestWordsTo(word, vocabulary) }))
    .filter(({ spellings }) => spellings.length > 0)
    .take(unknownWordsMax)
    .toArray();
  const spelt = (whole: string, word: UnknownWord, n: number) =>
    replaceStretch(whole, word, inCaseOf(text.slice(word.from, word.to), word.spellings[n] ?? ''));
  const one = unknown.flatMap((word) => word.spellings.map((_, n) => ({ text: spelt(text, word, n), n })));
  // From the last to the first, so that the offsets stay true.
  const every = unknown.toReversed().reduce((all, word) => spelt(all, word, 0), text);
  return [...(unknown.length > 1 ? [every] : []), ...one.toSorted((a, b) => a.n - b.n).map((way) => way.text)];
}

/** The words of a piece that occur nowhere, and are long enough to be another word. */
function* unknownWordsIn({ text, from }: TextPiece, vocabulary: Vocabulary): Generator<{ word: string; from: number; to: number }> {
  const folded = foldText(text);
  for (let at = skipToToken(folded.text, 0); at < folded.text.length; ) {
    const end = skipToTokenEnd(folded.text, at);
    const word = folded.text.slice(at, end);
    const mayBeAnother = word.length >= 3 && !/^\d+$/.test(word) && vocabulary.count(word) === 0;
    if (mayBeAnother) yield { word, from: from + folded.surfaceAt(at), to: from + folded.surfaceAt(end) };
    at = skipToToken(folded.text, end);
  }
}

/** The words of the archive that a word is nearest to: by letters, those that sound like it first, then by sound alone. */
function nearestWordsTo(word: string, vocabulary: Vocabulary): string[] {
  const alike = toSoundKey(word).length < 2 ? [] : vocabulary.alike(word).map(({ term }) => term);
  // Of short words nearly all are two letters away from each other.
  const near = vocabulary
    .near(word, word.length < 4 ? 1 : 2)
    .filter(({ term, edits }) => edits === 1 || word.length > 5 || alike.includes(term));
  const byLetters = near.map(({ term, edits, videos }) => ({
    term,
    far: alike.includes(term) ? edits - ofNearWord.soundsAlike : edits,
    videos,
  }));
  const bySound = alike
    .filter((term) => !near.some((other) => other.term === term))
    .map((term) => ({ term, far: ofNearWord.soundAlone, videos: vocabulary.count(term) }));
  return [...byLetters, ...bySound]
    .sort((a, b) => a.far - b.far || b.videos - a.videos || (a.term < b.term ? -1 : 1))
    .slice(0, spellingsMax)
    .map(({ term }) => term);
}

/** The query with fields of ours in the place of those that it made up. */
function withFields(text: string, pieces: readonly QueryPiece[]): string[] {
  const unknown = unknownFieldsIn(pieces).slice(0, singlyMax);
  if (unknown.length === 0) return [];
  const meant = (word: string) => fieldMeantBy(word.toLowerCase());
  // From the last to the first, so that the offsets stay true.
  const by = (field: (word: string) => string) =>
    unknown.reduceRight((all, { word, from }) => replaceStretch(all, { from, to: from + word.length }, field(word)), text);
  return [...new Set([by(meant), by(() => 'said'), by(() => 'written')])].map((one) => one.trim());
}

/** The field whose name, or what people call it, is spelt most like a word; what was said for one that is like none. */
function fieldMeantBy(word: string): string {
  const [nearest] = [...fieldWords]
    .map(([known, field]) => ({ field, edits: editsBetween(lettersOf(word), lettersOf(known)), most: known.length > 4 ? 2 : 1 }))
    .filter(({ edits, most }) => edits <= most)
    .sort((a, b) => a.edits - b.edits);
  return nearest?.field ?? 'said';
}

/** Of more conditions than these it seldom is a single one that finds nothing, and to try each takes long. */
const singlyMax = 4;

/** The query without one of its conditions, phrases or fields at a time where they are few, then without any. */
function withoutConditions(text: string, pieces: readonly QueryPiece[]): string[] {
  const ways = pieces.flatMap((piece) => toReplacement(text, piece) ?? []);
  const without = (some: typeof ways) => some.toReversed().reduce((all, { offsets, by }) => replaceStretch(all, offsets, by), text);
  const singly = ways.length > singlyMax ? [] : ways;
  return [...singly.map((way) => without([way])), ...(ways.length > 1 ? [without(ways)] : [])].map((one) => one.replace(/ {2,}/g, ' '));
}

/** What to write in place of a piece that asks for more than words: nothing, or its words alone. */
function toReplacement(text: string, piece: QueryPiece): { offsets: { from: number; to: number }; by: string } | undefined {
  const offsets = { from: piece.begin, to: piece.end };
  if (piece.kind === 'or') return undefined;
  if (piece.kind === 'and') return { offsets, by: ' ' };
  if (piece.kind === 'id' || piece.sign === '-') return { offsets, by: '' };
  const content = text.slice(piece.from, piece.from + piece.text.length);
  const isPhrase = piece.quoted && /\s/.test(content.trim());
  const bare = unknownFieldsIn([piece])[0];
  if (bare) return { offsets, by: piece.sign + content.slice(bare.word.length + 1) };
  if (piece.field) return { offsets, by: `${piece.sign}${isPhrase ? `"${content}"` : content}` };
  return piece.sign === '+' || isPhrase ? { offsets, by: content } : undefined;
}

function replaceStretch(text: string, { from, to }: { from: number; to: number }, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}
