import type { Language } from '../../words/languages/language.ts';
import { isStopWord } from '../../words/languages/languages.ts';
import type { Vocabulary } from '../../words/vocabulary.ts';
import { fit, measureRarity, ofWord, sameWordFit } from '../weights.ts';
import type { Query, QueryConcept, QueryField } from './query.ts';
import type { Alternative, PlannedConcept, SearchPlan } from './search-plan.ts';
import { alternativesOf, numbersIn, type WordContext } from './word-alternatives.ts';

/** Finds, in the words of the archive, what each part of a query may be met by. */
export function expandQuery(query: Query, vocabulary: Vocabulary): SearchPlan {
  // A word alone is no part of a longer name.
  const isUnknown = query.concepts.length > 1 ? query.concepts.map((concept) => isUnknownWord(concept, vocabulary)) : [];
  const significant = query.concepts.filter((concept) => !saysNothing(concept, vocabulary)).length;
  const planned = query.concepts.map((concept, n) => {
    const isBesideUnknown = isUnknown[n - 1] === true || isUnknown[n + 1] === true;
    return planConcept(concept, vocabulary, {
      others: significant - (saysNothing(concept, vocabulary) ? 0 : 1),
      isBesideUnknown,
      isTyped: query.isTyped,
    });
  });
  const concepts = joinNeighbours(query, planned, vocabulary).map((concept) => ({
    ...concept,
    alternatives: concept.alternatives.map((one) => ({ ...one, videos: Math.min(...one.tokens.map((token) => vocabulary.count(token))) })),
  }));
  return {
    concepts,
    not: query.not.map(({ tokens, field }) => ({ tokens, fit: fit.exact, field })),
    ids: query.ids,
    notIds: query.notIds,
    onlyStopWords: concepts.every((concept) => concept.isStopWord),
    languages: vocabulary.languages,
    videos: vocabulary.videos,
    batch: vocabulary.batch,
  };
}

function saysNothing({ anyOf }: QueryConcept, { languages }: Vocabulary): boolean {
  return anyOf.every(({ tokens, quoted }) => !quoted && tokens.length === 1 && isStopWord(tokens[0] ?? '', languages));
}

/**
 * Whether no word of the archive is this one, nor begins with what is typed of it: it may be a name as somebody heard it. What is
 * one letter away from a frequent word is a slip of that.
 */
function isUnknownWord(concept: QueryConcept, vocabulary: Vocabulary): boolean {
  const word = onlyWordOf(concept) ?? '';
  if (!/^[^\d]{4,}$/.test(word) || vocabulary.count(word) > 0) return false;
  if (concept.anyOf.some(({ open }) => open) && vocabulary.completions(word, 1).length > 0) return false;
  const [nearest] = vocabulary.near(word, 1);
  return (nearest?.videos ?? 0) <= vocabulary.videos * ofWord.frequentShare;
}

function planConcept(concept: QueryConcept, vocabulary: Vocabulary, context: WordContext): PlannedConcept {
  const { anyOf, must } = concept;
  const isStop = saysNothing(concept, vocabulary);
  const others = anyOf.slice(0, expandedMax).map((term) => alternativesOf(term, vocabulary, context));
  const alternatives = anyOf.flatMap(({ tokens, field }, n) => [{ tokens, fit: fit.exact, field }, ...(others[n]?.alternatives ?? [])]);
  const isPlenty = anyOf.every(
    ({ tokens: [word = '', ...more], field }) =>
      isMostlySpoken(field) && more.length === 0 && vocabulary.count(word) >= ofWord.plentyVideos,
  );
  const [word, offsets] = [others[0]?.takenFor, anyOf[0]?.offsets];
  return {
    alternatives,
    must,
    surface: anyOf.map(({ surface }) => surface).join(' OR '),
    isStopWord: isStop,
    isPlenty,
    isHeld: alternatives.some((one) => one.fit >= sameWordFit && isHeld(one, vocabulary)),
    ...(word !== undefined && offsets && anyOf.length === 1 ? { takenFor: { word, ...offsets } } : {}),
    weight: weightOf(alternatives, vocabulary) * (isStop ? ofWord.stopWord : 1),
  };
}

/** Whether nearly all videos that hold a word hold it where it is asked for. */
function isMostlySpoken(field: QueryField | undefined): boolean {
  return field === undefined || field === 'said';
}

function isHeld({ tokens }: Alternative, vocabulary: Vocabulary): boolean {
  return tokens.every((token) => vocabulary.count(token) > 0);
}

/** The best alternative that the archive holds decides, so that a misspelt word weighs as much as the right one. */
function weightOf(alternatives: readonly Alternative[], vocabulary: Vocabulary): number {
  const held = alternatives.find((alternative) => isHeld(alternative, vocabulary)) ?? alternatives[0];
  const weights = (held?.tokens ?? []).map((token) => measureRarity({ videos: vocabulary.videos, holding: vocabulary.count(token) }));
  // Words in a row narrow down more than the rarest of them.
  return Math.max(ofWord.least, ...weights) + ofWord.inRow * Math.max(0, weights.length - 1);
}

/** Of the words that one OR ties together, so many are looked for in other ways as well. */
const expandedMax = 32;

/** Words that the archive writes as one, or as a number: the one meets each of them. */
function joinNeighbours(query: Query, planned: readonly PlannedConcept[], vocabulary: Vocabulary): PlannedConcept[] {
  const concepts = planned.map((concept) => ({ ...concept, alternatives: [...concept.alternatives] }));
  for (const { from, to, ways } of joinsOf(query.concepts.map(onlyWordOf), vocabulary.languages)) {
    for (const one of ways) {
      if (!isHeld(one, vocabulary)) continue;
      for (const concept of concepts.slice(from, to)) {
        concept.alternatives.push(one);
        concept.isHeld = true;
        delete concept.takenFor;
      }
    }
  }
  return concepts;
}

/** Neighbours that may be written as one. Of numbers in words the longest count: two thousand and twenty one is not 2020 as well. */
function joinsOf(
  words: readonly (string | undefined)[],
  languages: readonly Language[],
): { from: number; to: number; ways: Alternative[] }[] {
  const joins: { from: number; to: number; ways: Alternative[] }[] = [];
  const wordsMax = Math.max(ofWord.initialsMax, ...languages.map(({ numberWordsMax }) => numberWordsMax));
  let numbersTo = 0;
  for (let from = 0; from < words.length; from++) {
    for (let to = Math.min(words.length, from + wordsMax); to >= from + 2; to--) {
      const parts = words.slice(from, to).filter((word) => word !== undefined);
      if (parts.length < to - from) continue;
      const numbers = to > numbersTo ? numbersIn(parts, languages) : [];
      if (numbers.length > 0) numbersTo = to;
      joins.push({ from, to, ways: [...joinWords(parts, languages), ...numbers] });
    }
  }
  return joins;
}

function joinWords(words: readonly string[], languages: readonly Language[]): Alternative[] {
  const one = words.join('');
  // J. F. K. is JFK, but the I. M. of a name no I'm.
  const areInitials = words.length <= ofWord.initialsMax && words.every((word) => /^\D$/u.test(word)) && !isStopWord(one, languages);
  return areInitials || (words.length <= ofWord.joinedWordsMax && one.length >= ofWord.joinedLengthMin)
    ? [{ tokens: [one], fit: fit.joined }]
    : [];
}

function onlyWordOf(concept: QueryConcept | undefined): string | undefined {
  const [term, ...rest] = concept?.anyOf ?? [];
  if (!term || rest.length > 0 || term.quoted || term.field || term.tokens.length > 1) return undefined;
  return term.tokens[0];
}
