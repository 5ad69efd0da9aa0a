import { SearchTimeSlice, type SearchWork } from '../../scheduling/search-time-slice.ts';
import type { FoundRow } from '../../search-index/ask/found-row.ts';
import type { RowWords } from '../../search-index/read-row-words.ts';
import { Adjacency } from '../match/adjacency.ts';
import { acceptedIn } from '../match/film-hits.ts';
import { findWordHits } from '../match/find-word-hits.ts';
import { planMatcher } from '../match/plan-matcher.ts';
import { type HeadScore, scoreHead } from '../match/score-head.ts';
import { WordHits } from '../match/word-hits.ts';
import { leastExactFitOf, type SearchPlan, significantConceptsOf } from '../query/search-plan.ts';
import { closeness, lackingFit, ofPassage, ofVideo, tiers } from '../weights.ts';
import type { RankedVideo } from './ranking.ts';

/**
 * Ranks the videos of the found rows, best first. The best passage decides; a video that has everything asked for goes
 * before one that lacks some, and one that has it close together before one that has it scattered.
 */
export function rankRows(plan: SearchPlan, rows: { passages: readonly FoundRow[]; heads: readonly FoundRow[] }): RankedVideo[] {
  const gathered = gatherEvidence(plan);
  for (const row of rows.passages) gathered.addPassage(row);
  for (const row of rows.heads) gathered.addHead(row);
  return gathered.inOrder();
}

/** Ranks as `rankRows` does; of thousands of rows, other requests are answered between some and the next. */
export async function rankRowsInSlices(
  plan: SearchPlan,
  rows: { passages: readonly FoundRow[]; heads: readonly FoundRow[] },
  work?: SearchWork,
): Promise<RankedVideo[]> {
  const gathered = gatherEvidence(plan);
  const slice = new SearchTimeSlice(work);
  for (const row of rows.passages) {
    gathered.addPassage(row);
    if (slice.isOver) await slice.next();
  }
  for (const row of rows.heads) gathered.addHead(row);
  return gathered.inOrder();
}

/** What the found rows show of each video. */
function gatherEvidence(plan: SearchPlan) {
  const matcher = planMatcher(plan);
  const scorer = new PassageScorer(plan);
  const evidence = new Map<string, Evidence>();
  const evidenceOf = ({ video, isPlayable }: Pick<FoundRow, 'video' | 'isPlayable'>) => {
    const known = evidence.get(video) ?? new Evidence(plan, isPlayable);
    evidence.set(video, known);
    return known;
  };
  return {
    addPassage({ video, words, kind, language, isPlayable, score }: FoundRow): void {
      const passage = scorer.score({ words, kind, language });
      if (passage.score <= 0) return;
      // The index's own score breaks ties.
      const withIndexScore = passage.score + score * ofPassage.indexScore;
      const found = evidenceOf({ video, isPlayable });
      if (kind === 'Rough') found.takeRough(withIndexScore);
      else found.take(passage, withIndexScore);
    },
    addHead({ video, words, language, isPlayable }: FoundRow): void {
      const head = scoreHead({ words, language }, plan, matcher);
      if (head.score > 0) evidenceOf({ video, isPlayable }).head = head;
    },
    inOrder: () =>
      [...evidence]
        .map(([id, found]) => ({ id, tier: found.tier, score: found.score }))
        .sort((a, b) => b.tier - a.tier || b.score - a.score || (a.id < b.id ? -1 : 1)),
  };
}

/** What the rows of one video come to. */
class Evidence {
  readonly #plan: SearchPlan;
  readonly #isPlayable: boolean;
  /** Whether any passage holds each concept. */
  readonly #holds: boolean[];
  #best = 0;
  #second = 0;
  #closest = 0;
  #isExact = false;
  /** The best of rough speech, by which a video is put in order that nothing else finds. */
  #rough = 0;
  head: HeadScore | undefined;

  constructor(plan: SearchPlan, isPlayable: boolean) {
    this.#plan = plan;
    this.#isPlayable = isPlayable;
    this.#holds = plan.concepts.map(() => false);
  }

  /** Takes a passage in, with its score and that of the index. */
  take({ closeness: close, isExact, fits }: PassageScore, score: number): void {
    this.#second = Math.max(this.#second, Math.min(this.#best, score));
    this.#best = Math.max(this.#best, score);
    this.#closest = Math.max(this.#closest, close);
    this.#isExact ||= isExact;
    for (let n = 0; n < fits.length; n++) if ((fits[n] ?? 0) > lackingFit) this.#holds[n] = true;
  }

  takeRough(score: number): void {
    this.#rough = Math.max(this.#rough, score);
  }

  get #isOnlyRough(): boolean {
    return this.#best === 0 && !this.head;
  }

  get score(): number {
    if (this.#isOnlyRough) return this.#rough;
    const inPassages = this.#best + ofVideo.secondPassage * this.#second;
    const inHead = this.head?.score ?? 0;
    const score = Math.max(inPassages, inHead) + ofVideo.otherSide * Math.min(inPassages, inHead);
    return this.#isPlayable ? score * ofVideo.playable : score;
  }

  get tier(): number {
    if (this.#isOnlyRough) return tiers.rough;
    if (this.head?.isExact || this.#isExact) return tiers.exact;
    const wanted = significantConceptsOf(this.#plan);
    const inHead = (n: number) => this.head?.holds[n] === true;
    if (wanted.every(inHead) || this.#closest >= closeness.neighbours) return tiers.close;
    return wanted.every((n) => inHead(n) || this.#holds[n] === true) ? tiers.scattered : tiers.lacking;
  }
}

interface PassageScore {
  readonly score: number;
  readonly closeness: number;
  /** Whether the very words that were asked for stand that close together. */
  readonly isExact: boolean;
  /** Best fit of each concept anywhere in the passage, 0 where it is lacking; of another passage after the next call. */
  readonly fits: Float64Array;
}

/** Scores one passage after the other by the best place in it: the line around which most of what is asked for stands close together. */
class PassageScorer {
  readonly #plan: SearchPlan;
  readonly #wanted: readonly number[];
  readonly #conceptCount: number;
  readonly #hits = new WordHits();
  /** Those of the line that is looked at. */
  readonly #range = { from: 0, to: 0 };
  readonly #adjacency: Adjacency;
  #lineCount = 0;
  /** Best fit of each concept in each line, line by line. */
  #byLine = new Float64Array(0);
  /** Best fit of each concept anywhere, and all of its fits together. */
  readonly #whole: Float64Array;
  readonly #sums: Float64Array;
  /** From which fit on each concept is met, and met by the very word. */
  readonly #leastFits: Float64Array;
  readonly #exactFits: Float64Array;

  constructor(plan: SearchPlan) {
    this.#plan = plan;
    this.#adjacency = new Adjacency(plan);
    this.#wanted = significantConceptsOf(plan);
    this.#conceptCount = plan.concepts.length;
    this.#whole = new Float64Array(this.#conceptCount);
    this.#sums = new Float64Array(this.#conceptCount);
    this.#leastFits = new Float64Array(this.#conceptCount).fill(lackingFit + Number.EPSILON);
    this.#exactFits = Float64Array.from(plan.concepts, (_, n) => leastExactFitOf(plan, n));
  }

  score({ words, ...of }: Pick<RowWords, 'words' | 'kind' | 'language'>): PassageScore {
    findWordHits(words, planMatcher(this.#plan).all, { into: this.#hits, accepts: acceptedIn(of) });
    // Behind the last hit nothing stands better.
    this.#lineCount = this.#hits.length === 0 ? 0 : this.#hits.line(this.#hits.length - 1) + 1;
    this.#noteFits();
    let best = this.#scoreBestLine();
    for (let n = 0; n < this.#conceptCount; n++)
      best += (this.#plan.concepts[n]?.weight ?? 0) * ofPassage.repeated * (1 - 1 / (1 + Math.max(0, (this.#sums[n] ?? 0) - 1)));
    const close = this.#closeness(this.#leastFits);
    const isExact = close >= closeness.neighbours && this.#closeness(this.#exactFits) >= closeness.neighbours;
    return { score: best, closeness: close, isExact, fits: this.#whole };
  }

  #noteFits(): void {
    const size = this.#lineCount * this.#conceptCount;
    if (this.#byLine.length < size) this.#byLine = new Float64Array(size);
    else this.#byLine.fill(0, 0, size);
    this.#whole.fill(0);
    this.#sums.fill(0);
    for (let n = 0; n < this.#hits.length; n++) {
      const [concept, fit] = [this.#hits.concept(n), this.#hits.fit(n)];
      const at = this.#hits.line(n) * this.#conceptCount + concept;
      this.#byLine[at] = Math.max(this.#byLine[at] ?? 0, fit);
      this.#whole[concept] = Math.max(this.#whole[concept] ?? 0, fit);
      this.#sums[concept] = (this.#sums[concept] ?? 0) + fit;
    }
  }

  /** The best fit of a concept in a line; 0 outside of the passage. */
  #fitIn(line: number, concept: number): number {
    return line >= 0 && line < this.#lineCount ? (this.#byLine[line * this.#conceptCount + concept] ?? 0) : 0;
  }

  #scoreBestLine(): number {
    let [best, hit] = [0, 0];
    const range = this.#range;
    for (let line = 0; line < this.#lineCount; line++) {
      range.from = hit;
      while (hit < this.#hits.length && this.#hits.line(hit) === line) hit++;
      range.to = hit;
      const adjacency = range.to > range.from ? this.#adjacency.weigh(this.#hits, range) : 0;
      best = Math.max(best, this.#scoreLine(line) + adjacency);
    }
    return best;
  }

  #scoreLine(line: number): number {
    let score = 0;
    for (let n = 0; n < this.#conceptCount; n++) {
      let most = (this.#whole[n] ?? 0) * ofPassage.elsewhere;
      for (let distance = 0; most > 0 && distance < ofPassage.lines.length; distance++) {
        const fit = Math.max(this.#fitIn(line - distance, n), this.#fitIn(line + distance, n));
        most = Math.max(most, (ofPassage.lines[distance] ?? 0) * fit);
      }
      score += (this.#plan.concepts[n]?.weight ?? 0) * most;
    }
    return score;
  }

  /** How close together all the concepts stand, each with a fit from `least` on. Every found row goes through here: nothing is made for it that would be garbage. */
  #closeness(least: Float64Array): number {
    for (const n of this.#wanted) if ((this.#whole[n] ?? 0) < (least[n] ?? 0)) return closeness.lacking;
    let best: number = closeness.passage;
    for (let line = 0; line < this.#lineCount; line++) {
      if (this.#holdAll(line, line, least)) return closeness.line;
      if (best === closeness.passage && this.#holdAll(line - 1, line + 1, least)) best = closeness.neighbours;
    }
    return best;
  }

  /** Whether the lines from one to another hold every concept among them. */
  #holdAll(from: number, to: number, least: Float64Array): boolean {
    for (const n of this.#wanted) {
      let line = from;
      while (line <= to && this.#fitIn(line, n) < (least[n] ?? 0)) line++;
      if (line > to) return false;
    }
    return true;
  }
}
