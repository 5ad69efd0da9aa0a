import { inflectionsOf } from './inflections.ts';
import { numberWord } from './number-words.ts';
import type { Query, QueryConcept, QueryTerm } from './query.ts';
import type { Alternative, PlannedConcept, SearchPlan } from './search-plan.ts';
import { soundKey } from './sounds-like.ts';
import { stopWords } from './stop-words.ts';
import type { Vocabulary } from './vocabulary.ts';

/** How well a word stands for the one that was asked for. */
const fit = {
  exact: 1,
  number: 0.9,
  joined: 0.85,
  inflected: 0.8,
  oneEdit: 0.75,
  begun: 0.7,
  twoEdits: 0.5,
  sound: 0.45,
  begunBeside: 0.3,
};
const completionsMax = 16;
const spellingsMax = 6;
const inflectionsMax = 6;
const stopWordWeight = 0.25;
const plentyVideos = 36;

/** Finds, in the words of the archive, what each part of a query may be met by. */
export function expandQuery(query: Query, vocabulary: Vocabulary): SearchPlan {
  const planned = query.concepts.map((concept) => planConcept(concept, vocabulary));
  const concepts = joinNeighbours(query, planned, vocabulary);
  return {
    concepts,
    not: query.not.map(({ tokens, field }) => ({ tokens, fit: fit.exact, field })),
    onlyStopWords: concepts.every((concept) => concept.isStopWord),
  };
}

function planConcept({ anyOf, must }: QueryConcept, vocabulary: Vocabulary): PlannedConcept {
  const alternatives = anyOf.flatMap((term) => alternativesOf(term, vocabulary));
  const isStopWord = anyOf.every(({ tokens, quoted }) => !quoted && tokens.length === 1 && stopWords.has(tokens[0] ?? ''));
  const isPlenty = anyOf.every(({ tokens: [word = ''], ...term }) => term.field === undefined && vocabulary.count(word) >= plentyVideos);
  return { alternatives, must, isStopWord, isPlenty, weight: weightOf(alternatives, vocabulary) * (isStopWord ? stopWordWeight : 1) };
}

/** The best alternative that the archive holds decides, so that a misspelt word weighs as much as the right one. */
function weightOf(alternatives: readonly Alternative[], vocabulary: Vocabulary): number {
  const held = alternatives.find(({ tokens }) => tokens.every((token) => vocabulary.count(token) > 0)) ?? alternatives[0];
  const weights = (held?.tokens ?? []).map((token) => Math.log(1 + (vocabulary.videos + 1) / (vocabulary.count(token) + 0.5)));
  // Words in a row tell more than the rarest of them.
  return Math.max(0.01, ...weights) + 0.5 * Math.max(0, weights.length - 1);
}

function alternativesOf(term: QueryTerm, vocabulary: Vocabulary): Alternative[] {
  const { tokens, field, quoted, open } = term;
  const [word = ''] = tokens;
  const exact: Alternative = { tokens, fit: fit.exact, field };
  if (quoted) return [exact];
  const others = tokens.length === 1 ? otherWords(word, { open, vocabulary }) : [otherOfTied(tokens, vocabulary)].flat();
  return [exact, ...others.map((other) => ({ ...other, field }))];
}

/** e-mail may be written email. */
function otherOfTied(tokens: readonly string[], vocabulary: Vocabulary): Alternative[] {
  const joined = tokens.join('');
  return vocabulary.count(joined) > 0 ? [{ tokens: [joined], fit: fit.joined }] : [];
}

function otherWords(word: string, { open, vocabulary }: { open: boolean; vocabulary: Vocabulary }): Alternative[] {
  const known = vocabulary.count(word) > 0;
  const found = new Map<string, number>();
  const offer = (other: string, value: number) => {
    if (other !== word && (found.get(other) ?? 0) < value) found.set(other, value);
  };
  const number = numberWord(word);
  if (number && vocabulary.count(number) > 0) offer(number, fit.number);
  if (!stopWords.has(word)) {
    for (const other of mostFrequent(inflectionsOf(word), vocabulary)) offer(other, fit.inflected);
    const completions = open && word.length > 1 ? vocabulary.completions(word, completionsMax) : [];
    for (const { term } of completions) offer(term, known ? fit.begunBeside : fit.begun);
    if (!known && completions.length === 0) for (const [other, value] of spellingsOf(word, vocabulary)) offer(other, value);
  }
  const words = [...found].map(([other, value]) => ({ tokens: [other], fit: value }));
  return known ? words : [...words, ...splitWord(word, vocabulary)];
}

function mostFrequent(words: Iterable<string>, vocabulary: Vocabulary): string[] {
  return [...words]
    .map((word) => ({ word, videos: vocabulary.count(word) }))
    .filter(({ videos }) => videos > 0)
    .sort((a, b) => b.videos - a.videos)
    .slice(0, inflectionsMax)
    .map(({ word }) => word);
}

/** For a word that occurs nowhere: those one letter away, else two letters or much the same sound. */
function spellingsOf(word: string, vocabulary: Vocabulary): [string, number][] {
  if (word.length < 3 || /^\d+$/.test(word)) return [];
  const one = vocabulary.near(word, 1).slice(0, spellingsMax);
  if (one.length > 0) return one.map(({ term }) => [term, fit.oneEdit]);
  if (word.length < 5) return [];
  const two = vocabulary
    .near(word, 2)
    .filter(({ term }) => term.length > 3)
    .slice(0, spellingsMax);
  const sounds = alikeInSound(word, vocabulary);
  return [
    ...two.map(({ term }): [string, number] => [term, fit.twoEdits]),
    ...mostFrequent(sounds, vocabulary).map((term): [string, number] => [
      term,
      two.some((near) => near.term === term) ? fit.oneEdit : fit.sound,
    ]),
  ];
}

function alikeInSound(word: string, vocabulary: Vocabulary): string[] {
  const key = soundKey(word);
  if (key.length < 3) return [];
  const found: string[] = [];
  for (const term of vocabulary.terms()) if (Math.abs(term.length - word.length) < 4 && soundKey(term) === key) found.push(term);
  return found;
}

/** A word that occurs nowhere may be two that the archive writes apart. */
function splitWord(word: string, vocabulary: Vocabulary): Alternative[] {
  let best: { tokens: string[]; videos: number } | undefined;
  for (let at = 3; at <= word.length - 3; at++) {
    const tokens = [word.slice(0, at), word.slice(at)];
    const videos = Math.min(...tokens.map((token) => vocabulary.count(token)));
    if (videos > (best?.videos ?? 0)) best = { tokens, videos };
  }
  return best ? [{ tokens: best.tokens, fit: fit.joined }] : [];
}

/** Two words that the archive writes as one: the one meets both. */
function joinNeighbours(query: Query, planned: readonly PlannedConcept[], vocabulary: Vocabulary): PlannedConcept[] {
  const concepts = planned.map((concept) => ({ ...concept, alternatives: [...concept.alternatives] }));
  for (let n = 0; n + 1 < concepts.length; n++) {
    const [a, b] = [onlyWord(query.concepts[n]), onlyWord(query.concepts[n + 1])];
    if (a === undefined || b === undefined || a.length + b.length < 6 || vocabulary.count(a + b) === 0) continue;
    for (const concept of [concepts[n], concepts[n + 1]]) concept?.alternatives.push({ tokens: [a + b], fit: fit.joined });
  }
  return concepts;
}

function onlyWord(concept: QueryConcept | undefined): string | undefined {
  const [term, ...rest] = concept?.anyOf ?? [];
  if (!term || rest.length > 0 || term.quoted || term.field || term.tokens.length > 1) return undefined;
  return term.tokens[0];
}
