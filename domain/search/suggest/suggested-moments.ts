import type { IndexQuestion } from '../../search-index/index-question.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import { isStopWord } from '../../words/languages/languages.ts';
import type { Vocabulary } from '../../words/vocabulary.ts';
import { makeAnswering } from '../match/answering.ts';
import { toFoundVideo } from '../match/found-video.ts';
import { matchVideos } from '../match/match-videos.ts';
import { type MomentMatch, mergeRoundRobin } from '../match/moment-match.ts';
import { isSignificant, type PlannedConcept, type SearchPlan } from '../query/search-plan.ts';
import { rankRows } from '../rank/rank-rows.ts';
import type { SearchRun } from '../search-parts.ts';
import type { FoundVideo, SearchRequest } from '../search-request.ts';

/** A look at the best rows is enough: whoever wants the whole answer presses Enter. */
const rowsMax = { passages: 24, heads: 8 };
/** A question of one word costs the same however frequent it is; every further word costs as much as several questions. */
const waysOfOneMax = 2;
const wordsTogetherMax = 3;

/**
 * The best moments, at most `limit` in all: the best of several videos rather than several of one. With them who speaks in
 * these videos, where the name fits.
 */
export async function suggestMoments(
  search: SearchRun,
  { plan, vocabulary, hidden }: { plan: SearchPlan; vocabulary: Vocabulary; hidden?: SearchRequest['hidden'] },
  limit: number,
): Promise<FoundVideo[]> {
  const rows = await Promise.all(questionsOf(plan, vocabulary).map((question) => findSignificantRows(search.index, question)));
  const found = { passages: rows.flatMap(({ passages }) => passages), heads: rows.flatMap(({ heads }) => heads) };
  const ids = rankRows(plan, found)
    .filter(({ id }) => !hidden?.ids.has(id))
    .slice(0, limit)
    .map(({ id }) => id);
  const showing = { answering: makeAnswering([plan]), accepts: (kind: MomentMatch['kind']) => kind !== 'Title' };
  const videos = (await matchVideos(search, ids, showing)).map((video) => toFoundVideo(video, showing));
  return chooseMatches(videos, limit);
}

type AskedWords = Pick<IndexQuestion, 'words' | 'others' | 'phrases'>;

async function findSignificantRows(index: SearchIndex, question: AskedWords) {
  const [passages, heads] = await Promise.all([
    index.find('passages', { ...question, limit: rowsMax.passages }),
    index.find('heads', { ...question, limit: rowsMax.heads }),
  ]);
  return { passages, heads };
}

/** One word is asked for in the likeliest ways, each by itself; of several the most telling together, each in its likeliest way. */
function questionsOf(plan: SearchPlan, vocabulary: Vocabulary): AskedWords[] {
  const { concepts } = plan;
  // To be or not to be: nothing but their order sets such words apart.
  if (plan.onlyStopWords && concepts.length > 1)
    return [questionOf([concepts.flatMap(({ alternatives: [exact] }) => exact?.tokens ?? [])])];
  const ways = concepts
    .filter((_, n) => isSignificant(n, plan))
    .toSorted((a, b) => b.weight - a.weight)
    .map((concept) => waysOf(concept, vocabulary).slice(0, concept.isPlenty ? 1 : waysOfOneMax))
    .filter(({ length }) => length > 0);
  const [only, ...others] = ways;
  if (only && others.length === 0) return only.map((way) => questionOf([way]));
  return ways.length === 0 ? [] : [questionOf(ways.slice(0, wordsTogetherMax).flatMap(([way]) => (way ? [way] : [])))];
}

function questionOf(ways: readonly (readonly string[])[]): AskedWords {
  return {
    words: ways.filter(({ length }) => length === 1).flat(),
    others: [],
    phrases: ways.filter(({ length }) => length > 1),
  };
}

/** What the archive holds of a concept, best first. A stop word stands everywhere, and a single letter begins everything. */
function waysOf({ alternatives }: PlannedConcept, vocabulary: Vocabulary): (readonly string[])[] {
  const narrowsDown = (tokens: readonly string[]) =>
    tokens.length > 1 || !(isStopWord(tokens[0] ?? '', vocabulary.languages) || /^[a-z0-9]$/.test(tokens[0] ?? ''));
  return alternatives
    .toSorted((a, b) => b.fit - a.fit)
    .map(({ tokens }) => tokens)
    .filter((tokens) => narrowsDown(tokens) && tokens.every((token) => vocabulary.count(token) > 0));
}

/**
 * The best of each video, then the second best of each. A label that stands at many places counts once. Who
 * speaks is a name and takes no moment's place; no name is given twice.
 */
function chooseMatches(videos: readonly FoundVideo[], limit: number): FoundVideo[] {
  const offered = videos.map(({ matches }) => differentMomentsIn(matches));
  const moments = mergeRoundRobin(...offered.map((matches) => matches.filter(({ kind }) => !isName(kind)))).slice(0, limit);
  const names = mergeRoundRobin(...offered.map((matches) => matches.filter(({ kind }) => isName(kind))));
  const chosen = new Set([...moments, ...new Map(names.toReversed().map((match) => [`${match.kind} ${match.text}`, match])).values()]);
  return videos.flatMap((found) => {
    const matches = found.matches.filter((match) => chosen.has(match));
    return matches.length > 0 ? [{ ...found, matches }] : [];
  });
}

const isName = (kind: MomentMatch['kind']) => kind === 'Face' || kind === 'Brand';

function differentMomentsIn(matches: readonly MomentMatch[]): MomentMatch[] {
  const timed = matches.filter(({ isTimed }) => isTimed);
  return [...new Map(timed.toReversed().map((match) => [`${match.kind} ${match.text}`, match])).values()].toReversed();
}
