import type { MatchKind } from '#contract/match-kinds.ts';
import type { HeadField } from '../search-index/head-lines.ts';

/*
 * Everything that the search weighs and orders by. A change is judged by `npm run -s eval -- --corpus FILE… --queries FILE` over all sets
 * of needs, never by a single query. Elsewhere stand:
 * - the two numbers of BM25 (domain/search-index/postings/weigh-words.ts);
 * - the scale of the archive's encoder, which is measured (domain/meaning/signs.ts, which knows nothing of the search);
 * - by what keywords of a film are chosen, of which search knows nothing (domain/keywords/find-keywords.ts);
 * - how much is asked for or tried at all, where that is done (rank-plan.ts, spellings.ts, word-alternatives.ts).
 */

/** What of a video decides before its score. */
export const tiers = {
  /** Found in rough speech alone. */
  rough: -1,
  /** Some of what is asked for is lacking. */
  lacking: 0,
  /** All of it is there, scattered over the video. */
  scattered: 1,
  /** All of it stands close together, if only as words that stand for those that were asked. */
  close: 2,
  /** The very words stand close together. */
  exact: 3,
};

/** How close together all that is asked for stands: in one line, within three, in one passage; or some is lacking. */
export const closeness = { lacking: 0, passage: 1, neighbours: 2, line: 3 } as const;

/** How well a word stands for the one that was asked for. */
export const fit = {
  exact: 1,
  /** The same number, but 3 also stands in dates and versions, where nobody says three. */
  number: 0.9,
  /** Colour and color are one word; whoever wrote it the one way has a slight claim to it. */
  pair: 0.9,
  /** Muller may be Müller, and may be Muller. */
  umlaut: 0.88,
  /** Spiderman for spider man: the same nearly always, and by chance two words beside each other otherwise. */
  joined: 0.85,
  /** Landings for landing: the same thing, but not the same form. Below `sameWordFit`, so that the asked form leads. */
  inflected: 0.8,
  /** One letter away and said the same: nearly always what was meant. */
  oneEditInSound: 0.78,
  /** One letter away from a word that occurs nowhere. */
  oneEdit: 0.75,
  /** Said the same, though more letters differ: people write names as they hear them. */
  inSound: 0.72,
  /** What the last word is the beginning of, when it is no word itself. */
  begun: 0.7,
  /** Modern for modem, in written text: machines misread, but rarely. */
  writtenSlip: 0.6,
  /** Of words two letters away there are many, and most are other words. */
  twoEdits: 0.5,
  /** Much the same consonants: more wrong than right, and better than nothing. */
  sound: 0.45,
  /** Weather for whether, where two other words tell which is meant: both are words, so the asked one leads by far. */
  homophone: 0.4,
  /** What the last word is the beginning of, when it is a word as well: while somebody types. */
  begunBeside: 0.3,
  /** Edvard for Edward, beside a family name that occurs nowhere. */
  inName: 0.3,
  /** What else a word that does occur may have been meant as. */
  beside: 0.25,
};

/** A hit of at most this fit adds to the score, but the video still lacks the word. */
export const lackingFit = fit.beside;

/** From this fit on it is the same word, written in another way. */
export const sameWordFit = 0.85;

/** When another word is taken for one that may be misspelt or misheard. */
export const ofSlip = {
  /** From this many letters on one wrong letter is forgiven, from the other on two. */
  oneEditLengthMin: 4,
  twoEditsLengthMin: 8,
  /** Of fewer consonants too many words are alike. */
  alikeKeyMin: 3,
  /** A word that fewer videos hold may stand there for another one. */
  seldomVideos: 36,
  /** One that no more videos hold may be a slip of one that so many times as many hold. */
  rareVideos: 2,
  muchMore: 10,
  /** Of shorter words many are one letter away from each other. */
  rareLengthMin: 6,
  /** Of shorter words an umlaut written out or taken back is mostly another word, unless one was typed. */
  umlautLengthMin: 5,
  /** Of a word that was run together with the one beside it each half has so many letters: in shorter ones any word falls apart. */
  partLengthMin: 3,
  /** Of shorter words read off a picture too many are others once a sign is taken for its like. */
  writtenLengthMin: 3,
};

export const ofWord = {
  /** Of all videos: what a larger share holds is frequent, and a word one letter away from it a slip of it rather than a name. */
  frequentShare: 0.02,
  /** So many videos hold the very word that the first pages need no other way of it. */
  plentyVideos: 36,
  /** The and of narrow down where a phrase stands, and hardly what it is about. */
  stopWord: 0.25,
  /** Each word after the first of those that stand in a row: together they narrow down more than the rarest of them. */
  inRow: 0.5,
  /** Of a word that every video holds: not nothing, or a query of such words would have no order. */
  least: 0.01,
  /** So many words beside each other may be one that the archive writes together, of so many letters: two short ones come together by chance. */
  joinedWordsMax: 3,
  joinedLengthMin: 6,
  /** Single letters beside each other that may be one word: an abbreviation has hardly more. */
  initialsMax: 5,
};

export const ofPassage = {
  /** By the lines between a word and the line that is looked at: what belongs together is said in one breath or the next. */
  lines: [1, 0.9, 0.45],
  /** Anywhere else in the passage: the same subject, not the same sentence. */
  elsewhere: 0.2,
  /** Added for words side by side in the asked order, by the words between them: who remembers a sentence remembers its order. */
  sideBySide: [0.3, 0.18, 0.08],
  /** Repeating a word breaks ties; more would put lists of one word before the sentence that was meant. */
  repeated: 0.04,
  /** The index's own score, for what is still equal: short passages before long ones. */
  indexScore: 1e-4,
};

/** How well a word describes a video that stands in this field of its head. */
export const ofHead: Record<HeadField, number> = {
  /** What somebody called the video is what it is about. */
  title: 1,
  /** Who is in it, but a name may be shared. */
  people: 0.9,
  /** Mentioned somewhere, found by machines. */
  brands: 0.45,
  labels: 0.5,
  /** Facts beside the footage, mostly the same for many videos. */
  owner: 0.5,
  description: 0.5,
};

/** The same where the field holds all that is asked for, as whole words: then it is the video that is asked for, and not words that pass in speech. */
export const ofWholeHead: Partial<Record<HeadField, number>> = {
  /** So far apart that what a video gains by also being spoken of (`otherSide`) does not lift one found by a label above one found by its title. */
  title: 2.8,
  people: 2.2,
  labels: 1.6,
};

export const ofVideo = {
  /** Times the score, for what can be played: among equals the film goes before the transcript alone. */
  playable: 1.05,
  /** A second good passage breaks ties: the best place decides, or long videos would win by length alone. */
  secondPassage: 0.05,
  /** The weaker of head and passages: a title that agrees supports what was said, and does not replace it. */
  otherSide: 0.45,
};

/** Of names that are suggested, added to how well they hold what was typed, by where in them it stands. */
export const ofName = {
  /** People type a name from its beginning. */
  atStart: 1,
  /** Or from a family name on. */
  atWord: 0.5,
};

/** How far a word is from one that occurs nowhere, in letters, where queries are offered that would find something. */
export const ofNearWord = {
  /** Taken off for a word that also sounds alike: people write what they hear. */
  soundsAlike: 0.5,
  /** For a word that only sounds alike: behind two letters, as many words share their consonants. */
  soundAlone: 2.5,
};

/** Of the moments within a video. Words side by side add what they add in a passage. */
export const ofMoment = {
  /** By kind, next to 1 for words said or written and for the title: who is in it from the start, what machines saw. */
  kinds: { Face: 0.9, Brand: 0.5, Annotations: 0.5 } as Partial<Record<MatchKind, number>>,
  /** Times the score of what a recogniser heard that is mostly wrong: anything else goes before it. */
  rough: 1e-4,
  /** The share of what is asked that a line must hold to count as a match: one common word of five is there by chance. */
  leastCoverage: 0.3,
  /** The name of who speaks, beside what is said. */
  speaker: 0.9,
  /** Words in the line before or after: the moment begins where most of them stand. */
  neighbour: 0.6,
  /** Of what a video is called and who is in it, where no moment says the same: none of it has a second to open at. */
  untimed: {
    /** Nearly as good as a line: it says what all of the video is about. */
    Title: 0.9,
    Face: 0.6,
    /** A sentence or more, in which words stand by chance. */
    Description: 0.4,
    Owner: 0.4,
    /** Found by machines somewhere. */
    Brand: 0.35,
    Annotations: 0.35,
  },
};

/** Where words answer badly, and how words and meaning come into one list. */
export const ofMeaning = {
  /** The highest tier at which meaning is asked: a film that has all words close together is what was asked for. */
  tierMax: tiers.scattered,
  /** What the best film has of all that is significant: below, it hardly has to do with it. */
  covered: 0.7,
  /** A word that occurs nowhere is often a name as it is heard, and what stands for it weighs less. */
  withUnknown: 0.6,
  /** Questions and descriptions hold words that no answer repeats. */
  question: { words: 5, covered: 0.95 },
  description: { words: 7, covered: 0.85 },
  /** Films by words and by meaning that get one order; behind them the other lists have nothing to say. */
  ofWords: 60,
  films: 40,
  /** Below, two texts have nothing in common but the language. */
  nearMin: 0.36,
  /** What a title adds that means what is asked: it tells what all of the film is about. */
  titleShare: 0.2,
  /** A film that has less of all that is significant has these words by chance. */
  byChance: 0.25,
  /** What all words of a query add, beside how near a film is. */
  wordsShare: 0.35,
};

/** How rare a word is, by the videos that hold it: natural logarithm, with half a video so that one that occurs nowhere has a weight. */
export function measureRarity({ videos, holding }: { videos: number; holding: number }): number {
  return Math.log(1 + (videos + 1) / (holding + 0.5));
}
