import { foldBody } from './folded-body.ts';
import { answeringPlans, foundVideo } from './found-video.ts';
import type { MomentMatch } from './moment-match.ts';
import { rankVideos } from './rank-videos.ts';
import { readVideos } from './read-videos.ts';
import type { SearchIndex } from './search-index.ts';
import { fit, type PlannedConcept, type SearchPlan } from './search-plan.ts';
import type { FoundVideo } from './search-request.ts';
import type { SearchDependencies } from './search-videos.ts';
import { stopWords } from './stop-words.ts';

/** A look at the best rows is enough: whoever wants the whole answer presses Enter. */
const rowsMax = { passages: 24, heads: 8 };
/** Words that may stand for others cost the more the more frequent they are. */
const othersMax = 4;
const phrasesMax = 3;

/**
 * The best moments, at most `limit` in all: the best of several videos rather than several of one. With them who speaks in
 * these videos, where the name fits.
 */
export async function suggestedMoments({ pool, index }: SearchDependencies, plan: SearchPlan, limit: number): Promise<FoundVideo[]> {
  const telling = await tellingRows(index, plan);
  const ids = rankVideos(plan, telling)
    .slice(0, limit)
    .map(({ id }) => id);
  const showing = { answering: answeringPlans([plan]), accepts: (kind: MomentMatch['kind']) => kind !== 'Title' };
  const videos = await readVideos(pool, ids, { withWordStarts: true });
  const found = videos.map((video) => foundVideo(video, foldBody(video.body, video.wordStarts), showing));
  return chooseMatches(found, limit);
}

async function tellingRows(index: SearchIndex, plan: SearchPlan) {
  const question = questionOf(plan);
  const [passages, heads] = await Promise.all([
    index.find('passages', { ...question, limit: rowsMax.passages }),
    index.find('heads', { ...question, limit: rowsMax.heads }),
  ]);
  return { passages, heads };
}

function questionOf({ concepts, onlyStopWords }: SearchPlan) {
  const isPhrase = onlyStopWords && concepts.length > 1;
  const asked = isPhrase ? [] : concepts.filter(({ isStopWord }) => !isStopWord || onlyStopWords);
  const ways = asked.flatMap(waysOf);
  const single = ways.filter(({ tokens }) => tokens.length === 1).map((way) => ({ word: way.tokens[0] ?? '', fit: way.fit }));
  // A stop word alone stands everywhere: only words that begin so tell anything.
  const words = new Set(single.filter((one) => one.fit === fit.exact && !stopWords.has(one.word)).map(({ word }) => word));
  const others = new Set(single.map(({ word }) => word).filter((word) => !words.has(word) && !stopWords.has(word)));
  const phrases = ways.filter(({ tokens }) => tokens.length > 1).map(({ tokens }) => tokens);
  if (isPhrase) phrases.push(concepts.flatMap(({ alternatives: [exact] }) => exact?.tokens ?? []));
  return { words: [...words], others: [...others].slice(0, othersMax), phrases: phrases.slice(0, phrasesMax) };
}

function waysOf({ alternatives }: PlannedConcept) {
  return alternatives.toSorted((a, b) => b.fit - a.fit);
}

/**
 * In turns: the best of each video, then the second best of each. A label that stands at many places counts once. Who
 * speaks is a name and takes no moment's place; no name is given twice.
 */
function chooseMatches(videos: readonly FoundVideo[], limit: number): FoundVideo[] {
  const offered = videos.map(({ matches }) => differentMoments(matches));
  const moments = inTurns(offered.map((matches) => matches.filter(({ kind }) => !isName(kind)))).slice(0, limit);
  const names = inTurns(offered.map((matches) => matches.filter(({ kind }) => isName(kind))));
  const chosen = new Set([...moments, ...new Map(names.toReversed().map((match) => [`${match.kind} ${match.text}`, match])).values()]);
  return videos.flatMap((found) => {
    const matches = found.matches.filter((match) => chosen.has(match));
    return matches.length > 0 ? [{ ...found, matches }] : [];
  });
}

const isName = (kind: MomentMatch['kind']) => kind === 'Face' || kind === 'Brand';

function inTurns(lists: readonly (readonly MomentMatch[])[]): MomentMatch[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list[turn] ?? [])).flat();
}

function differentMoments(matches: readonly MomentMatch[]): MomentMatch[] {
  const timed = matches.filter(({ isTimed }) => isTimed);
  return [...new Map(timed.toReversed().map((match) => [`${match.kind} ${match.text}`, match])).values()].toReversed();
}
