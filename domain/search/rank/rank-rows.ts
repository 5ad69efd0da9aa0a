import { SearchTimeSlice, type SearchWork } from '../../scheduling/search-time-slice.ts';
import type { FoundRow } from '../../search-index/ask/found-row.ts';
import { planMatcher } from '../match/plan-matcher.ts';
import { type SearchPlan, significantConcepts } from '../query/search-plan.ts';
import { lackingFit, ofPassage, ofVideo } from '../weights.ts';
import type { RankedVideo } from './ranking.ts';
import { type HeadScore, scoreHead } from './score-head.ts';
import { nearness, type PassageScore, scorePassage } from './score-passage.ts';

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
  const evidence = new Map<string, Evidence>();
  return {
    addPassage({ video, words, kind, language, isPlayable, score }: FoundRow): void {
      const passage = scorePassage({ words, kind, language }, plan, matcher);
      // The index's own score breaks ties.
      if (passage.score > 0)
        evidenceOf(evidence, { video, isPlayable }).passages.push({ ...passage, score: passage.score + score * ofPassage.indexScore });
    },
    addHead({ video, words, language, isPlayable }: FoundRow): void {
      const head = scoreHead({ words, language }, plan, matcher);
      if (head.score > 0) evidenceOf(evidence, { video, isPlayable }).head = head;
    },
    inOrder: () =>
      [...evidence]
        .map(([id, found]) => ({ id, ...scoreVideo(plan, found) }))
        .sort((a, b) => b.tier - a.tier || b.score - a.score || (a.id < b.id ? -1 : 1)),
  };
}

interface Evidence {
  readonly isPlayable: boolean;
  readonly passages: PassageScore[];
  head: HeadScore | undefined;
}

function evidenceOf(evidence: Map<string, Evidence>, { video, isPlayable }: Pick<FoundRow, 'video' | 'isPlayable'>): Evidence {
  const known = evidence.get(video);
  if (known) return known;
  const fresh: Evidence = { isPlayable, passages: [], head: undefined };
  evidence.set(video, fresh);
  return fresh;
}

/** The very words close together; what stands for them close together; scattered over the video; lacking some. */
const tiers = { lacking: 0, scattered: 1, close: 2, exact: 3 };

function scoreVideo(plan: SearchPlan, { isPlayable, passages, head }: Evidence): { tier: number; score: number } {
  const [best, second] = passages.toSorted((a, b) => b.score - a.score);
  const inPassages = (best?.score ?? 0) + ofVideo.secondPassage * (second?.score ?? 0);
  const inHead = head?.score ?? 0;
  const score = Math.max(inPassages, inHead) + ofVideo.otherSide * Math.min(inPassages, inHead);
  return { tier: tierOf(plan, passages, head), score: isPlayable ? score * ofVideo.playable : score };
}

function tierOf(plan: SearchPlan, passages: readonly PassageScore[], head: HeadScore | undefined): number {
  if (head?.isExact || passages.some(({ isExact }) => isExact)) return tiers.exact;
  const wanted = significantConcepts(plan);
  const inHead = (n: number) => head?.holds[n] === true;
  if (wanted.every(inHead) || passages.some((passage) => passage.nearness >= nearness.neighbours)) return tiers.close;
  const anywhere = (n: number) => inHead(n) || passages.some((passage) => (passage.fits[n] ?? 0) > lackingFit);
  return wanted.every(anywhere) ? tiers.scattered : tiers.lacking;
}
