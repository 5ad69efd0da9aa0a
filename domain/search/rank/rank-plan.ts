import type { Deadline } from '../../scheduling/deadline.ts';
import { wordInField } from '../../search-index/head-lines.ts';
import { FoundPhrases, type IndexQuestion } from '../../search-index/index-question.ts';
import type { TableKind } from '../../search-index/index-tables.ts';
import type { RowCondition } from '../../search-index/row-condition.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import { isStopWord } from '../../words/languages/languages.ts';
import type { QueryField } from '../query/query.ts';
import { type Alternative, isSignificant, type PlannedConcept, type SearchPlan, significantConceptsOf } from '../query/search-plan.ts';
import { fit, tiers } from '../weights.ts';
import { rankRowsInSlices } from './rank-rows.ts';
import { limitRanked, type RankedVideo, type Ranking } from './ranking.ts';

/**
 * What the index is asked for by all plans of an answer together, and by each of them at least. Of a long sentence the rarest words decide;
 * the ranking sees all of them in the rows.
 */
const asked = {
  concepts: { max: 12, least: 2 },
  phrases: { max: 8, least: 1 },
};
/** Rows that the index is asked for; `exact` are passages with the very words. */
interface Window {
  readonly exact: number;
  readonly passages: number;
  readonly heads: number;
  /** Words that may stand for those of all plans together. */
  readonly others: number;
  /** How many passes over all videos the words of all plans together may take: a word that every video holds takes one. */
  readonly passes: number;
}

const othersLeast = 4;

/** The wider ones serve later pages: their videos follow, in an order of their own. */
const firstWindow: Window = { exact: 64, passages: 128, heads: 32, others: 20, passes: 8 };
/** Passages with one and the same word differ little, so fewer of them need a closer look. */
const firstWindowOfOneWord: Window = { ...firstWindow, exact: 72, passages: 72 };
const widerWindows: readonly Window[] = [
  { exact: 1_200, passages: 1_200, heads: 300, others: 60, passes: 4 },
  { exact: 5_000, passages: 5_000, heads: 1_000, others: 60, passes: 4 },
];
/** Of the passes of a window, for a text of stop words alone: their order decides, as the words themselves stand everywhere. */
const shareOfStopWords = 0.5;
/** In a small archive all words are asked for: a pass over so many videos costs little. */
const videosAtOnce = 20_000;
/** Of a text that ranks fewer videos the wider windows have fewer rows. */
const rowsPerVideo = 5;
/** Rows that are asked for beyond those that should do; and the share of the widest window up to which it is worth to ask for less first. */
const [sharesMore, narrowerShare] = [1.25, 2 / 3];

export interface RankOptions extends RowCondition {
  /** Number of videos that have to be ranked. */
  readonly atLeast: number;
  /** Videos that are not to be ranked. */
  readonly without?: ReadonlySet<string> | undefined;
  /** All plans of the answer. However many they are, they are not to take longer than one. */
  readonly plans: readonly SearchPlan[];
  readonly deadline: Deadline;
}

/**
 * The videos that answer a plan, best first: the index offers rows, and the words in these rows decide. Those that only rough speech finds
 * come when the wider windows have found no other.
 */
export async function rankPlan(index: SearchIndex, plan: SearchPlan, options: RankOptions): Promise<Ranking> {
  const found = new Map<string, RankedVideo>();
  const rough = new Map<string, RankedVideo>();
  const most = limitRanked(options.plans);
  const first = plan.concepts.length === 1 ? firstWindowOfOneWord : firstWindow;
  const phrases = new FoundPhrases();
  let isComplete = false;
  for (const window of windowsFor(first, options, () => found.size)) {
    options.deadline.check();
    const ranking = await rankWindow(index, plan, { window, options, found: phrases, isFirst: window === first });
    for (const video of ranking.videos) {
      const among = video.tier === tiers.rough ? rough : found;
      if (!among.has(video.id) && !options.without?.has(video.id)) among.set(video.id, video);
    }
    isComplete = ranking.isComplete;
    if (isComplete) break;
    if (found.size >= options.atLeast) return { videos: [...found.values()].slice(0, most), isComplete };
  }
  const videos = [...found.values(), ...[...rough.values()].filter(({ id }) => !found.has(id))];
  return { videos: videos.slice(0, most), isComplete: isComplete && videos.length <= most };
}

/** One window after the other; of the widest only as much as videos are still lacking, and all of it where that was too little. */
function* windowsFor(first: Window, { plans, atLeast }: RankOptions, foundVideos: () => number): Generator<Window> {
  const [wider = first, widest = wider] = shareWindows(plans);
  yield first;
  yield wider;
  // Further rows are more often of videos that are there.
  const share = (atLeast / foundVideos()) ** 2 * sharesMore;
  const narrower = { ...widest, exact: Math.ceil(wider.exact * share), passages: Math.ceil(wider.passages * share) };
  if (narrower.passages < widest.passages * narrowerShare) yield narrower;
  yield widest;
}

/** What each of several plans gets of the wider windows. */
function shareWindows(plans: readonly SearchPlan[]): Window[] {
  const rowsMax = limitRanked(plans) * rowsPerVideo;
  const rowsOf = (rows: number, least: number) => shareOf({ max: Math.min(rows, rowsMax), least }, plans.length);
  return widerWindows.map(({ exact, passages, heads, others, passes }) => ({
    exact: rowsOf(exact, firstWindow.exact),
    passages: rowsOf(passages, firstWindow.passages),
    heads: rowsOf(heads, firstWindow.heads),
    others,
    passes,
  }));
}

function shareOf({ max, least }: { max: number; least: number }, among: number): number {
  return Math.max(least, Math.ceil(max / among));
}

async function rankWindow(
  index: SearchIndex,
  plan: SearchPlan,
  { window, options, found, isFirst }: { window: Window; options: RankOptions; found: FoundPhrases; isFirst: boolean },
): Promise<Ranking> {
  const ask = isFirst ? firstQuestionOf : questionOf;
  const asking = { ...options, passes: window.passes, others: window.others };
  const [spoken, named] = [ask(plan, asking, 'passages'), ask(plan, asking, 'heads')];
  // Asked for alone as well, or else a rare word that may stand for a frequent one fills the window. What occurs nowhere finds nothing alone.
  const isAmongOthers = spoken.words.length > 0 && spoken.others.length > 0 && plan.concepts.some(({ isHeld }) => isHeld);
  return await index.rooms.use(async (room) => {
    const all = { ...spoken, limit: window.passages, found, room };
    const exactly = { ...all, others: [], phrases: [], limit: window.exact };
    const findPassages = async () => {
      if (!isAmongOthers) return await index.find('passages', all);
      // Where few videos hold any of the words, all of their rows have a place in the window.
      const few = spoken.videos <= window.passages * shareOfFew ? await index.find('passages', all) : undefined;
      return few && few.length < window.passages ? few : await index.find('passages', exactly, all);
    };
    const [passages, heads] = await Promise.all([findPassages(), index.find('heads', { ...named, limit: window.heads, found, room })]);
    const isComplete = passages.length < window.passages && heads.length < window.heads && spoken.isWhole && named.isWhole;
    return { videos: await rankRowsInSlices(plan, { passages, heads }, options.deadline.work), isComplete };
  });
}

/** Of the rows of a window: so many videos have hardly more rows than there is place for. */
const shareOfFew = 0.5;

/** A single word that many videos hold: what may stand for it comes after all of them, so it is asked for by later windows. */
function firstQuestionOf(plan: SearchPlan, options: Asking, kind: TableKind): AskedQuestion {
  const question = questionOf(plan, options, kind);
  const [only, ...rest] = plan.concepts.filter((_, n) => isSignificant(n, plan));
  const isEnough = only?.isPlenty === true && rest.length === 0 && question.others.length + question.phrases.length > 0;
  return isEnough ? { ...question, others: [], phrases: [], isWhole: false } : question;
}

type Asking = RankOptions & Pick<Window, 'passes' | 'others'>;

type AskedQuestion = Omit<IndexQuestion, 'limit'> & {
  /** Whether everything that a plan accepts was asked for. */
  readonly isWhole: boolean;
  /** How many videos hold its words, word by word. */
  readonly videos: number;
};

const fieldsOf: Record<TableKind, readonly QueryField[]> = { passages: ['said', 'written'], heads: ['title', 'person', 'brand', 'label'] };

/** What a plan asks of a table: nothing that only rows of the other one can answer. */
function questionOf(plan: SearchPlan, options: Asking, kind: TableKind): AskedQuestion {
  const most = (of: keyof typeof asked) => shareOf(asked[of], options.plans.length);
  const concepts = chooseConcepts(plan, most('concepts'));
  const accepted = chooseAlternatives(plan, concepts, kind);
  const alone = accepted.filter(({ tokens }) => tokens.length === 1);
  const inRow = accepted.filter(({ tokens }) => tokens.length > 1);
  // Heads are few.
  const [single, runs] =
    kind === 'heads' ? [alone, inRow] : [chooseWithinReach(alone, plan, options), chooseWithinReach(inRow, plan, options)];
  const phrases = phrasesOf(plan, { alone, runs });
  const askedPhrases = phrases.slice(0, most('phrases'));
  const { isCut, ...terms } = termsOf(single, {
    kind,
    concepts,
    othersMax: shareOf({ max: options.others, least: othersLeast }, options.plans.length),
  });
  return {
    ...terms,
    phrases: askedPhrases,
    only: options,
    work: options.deadline.work,
    isWhole:
      !isCut &&
      concepts.length === significantConceptsOf(plan).length &&
      single.length + runs.length === accepted.length &&
      askedPhrases.length === phrases.length,
    videos: single.reduce((sum, { videos = Number.POSITIVE_INFINITY }) => sum + videos, 0),
  };
}

/** The significant concepts, of many the rarest. Stop words find half of the archive; the ranking sees them in the rows that other words find. */
function chooseConcepts(plan: SearchPlan, most: number): readonly PlannedConcept[] {
  const wanted = plan.concepts.filter((_, n) => isSignificant(n, plan));
  if (wanted.length <= most) return wanted;
  // What occurs nowhere would be the rarest of all.
  return wanted.toSorted((a, b) => Number(b.isHeld) - Number(a.isHeld) || b.weight - a.weight).slice(0, most);
}

/** What meets these concepts and may stand in rows of this table, the best first. */
function chooseAlternatives(plan: SearchPlan, concepts: readonly PlannedConcept[], kind: TableKind): readonly Alternative[] {
  return concepts
    .flatMap(({ alternatives }) => alternatives)
    .filter(({ field }) => field === undefined || fieldsOf[kind].includes(field))
    .filter((alternative) => plan.onlyStopWords || !isHeardStopWord(alternative, plan))
    .toSorted((a, b) => b.fit - a.fit);
}

/** The terms of single words: the very words, and others that may stand for them. */
function termsOf(
  single: readonly Alternative[],
  { kind, concepts, othersMax }: { kind: TableKind; concepts: readonly PlannedConcept[]; othersMax: number },
): Pick<IndexQuestion, 'words' | 'others'> & { isCut: boolean } {
  const terms = kind === 'heads' ? headTermsOf : wordsOf;
  const exact = single.filter((alternative) => alternative.fit === fit.exact);
  const words = new Set(exact.flatMap(wordsOf));
  const others = chooseOncePerWord(single, words);
  const isCut = others.length > othersMax;
  const taken = isCut ? chooseOncePerWord(orderRoundRobin(single, concepts), words).slice(0, othersMax) : others;
  return { words: [...new Set(exact.flatMap(terms))], others: taken.flatMap(terms), isCut };
}

/** What may stand for the `words`, by its word, once each: with their marks heads are asked for up to three times as many terms. */
function chooseOncePerWord(single: readonly Alternative[], words: ReadonlySet<string>): readonly Alternative[] {
  const others = new Map<string, Alternative>();
  for (const other of single) for (const word of wordsOf(other)) if (!words.has(word) && !others.has(word)) others.set(word, other);
  return [...others.values()];
}

/** Round robin over the concepts: the best of each, then the second of each; that which occurs nowhere first: all that finds it is what may stand for it. */
function orderRoundRobin(single: readonly Alternative[], concepts: readonly PlannedConcept[]): readonly Alternative[] {
  const lacking = concepts.toSorted((a, b) => Number(a.isHeld) - Number(b.isHeld));
  const conceptOf = new Map(lacking.flatMap(({ alternatives }, n) => alternatives.map((one) => [one, n] as const)));
  const taken = new Map<number, number>();
  const roundOf = (one: Alternative) => {
    const concept = conceptOf.get(one) ?? 0;
    const round = taken.get(concept) ?? 0;
    taken.set(concept, round + 1);
    return { one, round, concept };
  };
  const rounds = single.filter((one) => isOther(one) === 1).map(roundOf);
  return rounds.sort((a, b) => a.round - b.round || a.concept - b.concept).map(({ one }) => one);
}

/** Words in a row, the rarest first, once each though one may stand for several concepts. */
function phrasesOf(
  plan: SearchPlan,
  { alone, runs }: { alone: readonly Alternative[]; runs: readonly Alternative[] },
): (readonly string[])[] {
  const phrases = [...new Map(runs.toSorted(rarestFirst).map(({ tokens }) => [tokens.join(' '), tokens])).values()];
  // To be or not to be: nothing but their order sets such words apart.
  const isOrder = plan.onlyStopWords && alone.some(({ tokens: [word] }) => word !== alone[0]?.tokens[0]);
  return isOrder ? [plan.concepts.flatMap(({ alternatives: [itself] }) => itself?.tokens ?? []), ...phrases] : phrases;
}

/**
 * The words, or words in a row, that the index can be asked for, by the videos that hold the rarest of them: the very words before what
 * may stand for them, and of each the rarest first; at least one that it holds.
 */
function chooseWithinReach(asked: readonly Alternative[], plan: SearchPlan, { passes, plans }: Asking): readonly Alternative[] {
  const share = plan.onlyStopWords ? shareOfStopWords : 1;
  const most = Math.max(videosAtOnce, passes * share * (plan.videos ?? 0)) / plans.length;
  const taken = new Set<Alternative>();
  const counted = new Set<string>();
  let videos = 0;
  for (const one of asked.toSorted((a, b) => isOther(a) - isOther(b) || (a.videos ?? 0) - (b.videos ?? 0))) {
    const words = one.tokens.join(' ');
    const more = counted.has(words) ? 0 : (one.videos ?? 0) * one.tokens.length;
    if (videos > 0 && videos + more > most) break;
    videos += more;
    counted.add(words);
    taken.add(one);
  }
  return asked.filter((one) => taken.has(one));
}

const isOther = (one: Alternative) => Number(one.fit < fit.exact);

/** The very words before what may stand for them, the rarest first; what occurs nowhere, as far as is known, is no rarest. */
function rarestFirst(a: Alternative, b: Alternative): number {
  return Number(a.videos === 0) - Number(b.videos === 0) || isOther(a) - isOther(b) || (a.videos ?? 0) - (b.videos ?? 0);
}

const wordsOf = ({ tokens }: Alternative) => tokens;

/** What heads are asked for a word: where many hold it as a label, those that are called so come first all the same. */
function headTermsOf({ tokens, field, fit: fitOfWord }: Alternative): readonly string[] {
  const fields = (['title', 'person'] as const).filter((marked) => field === undefined || field === marked);
  const isField = field !== undefined && fields.length > 0;
  const named = isField || fitOfWord >= fit.inflected ? fields.flatMap((marked) => tokens.map((token) => wordInField(marked, token))) : [];
  return isField ? named : [...tokens, ...named];
}

/** A stop word that another word may only have been heard as: it finds half of the archive as well. */
function isHeardStopWord({ tokens: [word = '', ...more], fit: fitOfWord }: Alternative, { languages }: SearchPlan): boolean {
  return more.length === 0 && fitOfWord <= fit.homophone && isStopWord(word, languages);
}
