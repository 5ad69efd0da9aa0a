import type { Video } from '../../videos/video.ts';
import { languageNumber } from '../../words/languages/languages.ts';
import type { QueryField } from '../query/query.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import { ofMoment } from '../weights.ts';
import { acceptedInField } from './film-hits.ts';
import { nameKey } from './find-moments.ts';
import { type Accepts, findWordHits, someWordHit } from './find-word-hits.ts';
import type { MomentMatch } from './moment-match.ts';
import type { PlanMatcher } from './plan-matcher.ts';
import { WordHits } from './word-hits.ts';
import { codeWords, findWords, holdsWords, toRange } from './word-places.ts';

/** What a video is called, and who and what is in it as a whole. */
export type HeadOfVideo = Pick<Video, 'name' | 'description' | 'owner' | 'people' | 'brands' | 'labels' | 'language'>;

interface HeadText {
  readonly kind: keyof typeof ofMoment.ofHead;
  readonly field: QueryField | undefined;
  readonly texts: readonly string[];
}

/**
 * The matches of what a video is called, and of who and what is in it, as far as no moment of it says the same.
 * `named`: what moments say, by `nameKey`; `codes`: those of the head row where it is at hand, as most heads hold nothing of what is asked.
 */
export function headMatches(
  video: HeadOfVideo,
  { plan, matcher }: { plan: SearchPlan; matcher: PlanMatcher },
  { named, codes }: { named: ReadonlySet<string>; codes?: Int32Array },
): MomentMatch[] {
  if (codes && !someWordHit(codes, matcher.significant, { isEnough: () => true })) return [];
  const heads: HeadText[] = [
    { kind: 'Title', field: 'title', texts: [video.name] },
    { kind: 'Description', field: undefined, texts: video.description ? [video.description] : [] },
    { kind: 'Face', field: 'person', texts: video.people },
    { kind: 'Brand', field: 'brand', texts: video.brands },
    { kind: 'Annotations', field: 'label', texts: video.labels },
    { kind: 'Owner', field: undefined, texts: video.owner ? [video.owner] : [] },
  ];
  const language = languageNumber(video.language);
  return heads.flatMap(({ texts, kind, field }) =>
    texts.flatMap((text) =>
      named.has(nameKey(kind, text)) ? [] : (matchText(text, { kind, accepts: acceptedInField(field, language) }, { plan, matcher }) ?? []),
    ),
  );
}

function matchText(
  text: string,
  { kind, accepts }: Pick<HeadText, 'kind'> & { accepts: Accepts },
  { plan, matcher }: { plan: SearchPlan; matcher: PlanMatcher },
): MomentMatch | undefined {
  const words = findWords(text);
  const inText = new WordHits();
  findWordHits(codeWords(words), matcher.all, { into: inText, accepts });
  const hits = inText.slice(0, inText.length).filter((hit) => holdsWords(words, hit));
  const isSignificant = (concept: number) => plan.onlyStopWords || !plan.concepts[concept]?.isStopWord;
  if (!hits.some(({ concept }) => isSignificant(concept))) return undefined;
  const marked = new Set(
    hits.filter(({ concept }) => isSignificant(concept)).flatMap(({ from, to }) => Array.from({ length: to - from }, (_, n) => from + n)),
  );
  // Stop words are marked between and beside words that tell.
  for (const { concept, from } of hits) if (!isSignificant(concept) && (marked.has(from - 1) || marked.has(from + 1))) marked.add(from);
  const fits = new Map<number, number>();
  for (const { concept, fit } of hits) fits.set(concept, Math.max(fits.get(concept) ?? 0, fit));
  const score = [...fits].reduce((sum, [concept, fit]) => sum + fit * (plan.concepts[concept]?.weight ?? 0), 0) * ofMoment.ofHead[kind];
  const ranges = runsOf(marked).map(([first, last]) => toRange(words, { from: first, to: last + 1 }));
  return { kind, startMs: 0, isTimed: false, text, ranges, score };
}

/** Runs of numbers that follow each other: first and last of each. */
function runsOf(numbers: ReadonlySet<number>): [number, number][] {
  const runs: [number, number][] = [];
  for (const n of [...numbers].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && run[1] === n - 1) run[1] = n;
    else runs.push([n, n]);
  }
  return runs;
}
