import { SearchTimeSlice, type SearchWork } from '../../scheduling/search-time-slice.ts';
import type { FoundRow } from '../../search-index/ask/found-row.ts';
import { planMatcher } from '../match/plan-matcher.ts';
import { type SearchPlan, significantConcepts } from '../query/search-plan.ts';
import { lackingFit, ofPassage, ofVideo } from '../weights.ts';
import { type RankedVideo, tiers } from './ranking.ts';
import { type HeadScore, scoreHead } from './score-head.ts';
import { nearness, type PassageScore, PassageScorer } from './score-passage.ts';

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

/** What the found rows tell of each video. */
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
  #nearest = 0;
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
  take({ nearness: near, isExact, fits }: PassageScore, score: number): void {
    this.#second = Math.max(this.#second, Math.min(this.#best, score));
    this.#best = Math.max(this.#best, score);
    this.#nearest = Math.max(this.#nearest, near);
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
    const wanted = significantConcepts(this.#plan);
    const inHead = (n: number) => this.head?.holds[n] === true;
    if (wanted.every(inHead) || this.#nearest >= nearness.neighbours) return tiers.close;
    return wanted.every((n) => inHead(n) || this.#holds[n] === true) ? tiers.scattered : tiers.lacking;
  }
}
