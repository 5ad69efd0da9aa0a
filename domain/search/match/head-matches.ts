import { wordCode } from '../../search-index/word-code.ts';
import type { Video } from '../../videos/video.ts';
import { foldText } from '../../words/fold-text.ts';
import { nextTokenStart, tokenEnd, tokenLengthMax } from '../../words/tokens.ts';
import type { QueryField } from '../query/query.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import { ofMoment } from '../weights.ts';
import { nameKey } from './find-moments.ts';
import { findWordHits } from './find-word-hits.ts';
import type { MomentMatch } from './moment-match.ts';
import type { PlanMatcher } from './plan-matcher.ts';

interface HeadText {
  readonly kind: keyof typeof ofMoment.ofHead;
  readonly field: QueryField | undefined;
  readonly texts: readonly string[];
}

/**
 * The matches of what a video is called, and of who and what is in it, as far as no moment of it says the same.
 * `named`: what moments say, by `nameKey`.
 */
export function headMatches(
  video: Video,
  { plan, matcher }: { plan: SearchPlan; matcher: PlanMatcher },
  named: ReadonlySet<string>,
): MomentMatch[] {
  const heads: HeadText[] = [
    { kind: 'Title', field: 'title', texts: [video.name] },
    { kind: 'Description', field: undefined, texts: video.description ? [video.description] : [] },
    { kind: 'Face', field: 'person', texts: video.people },
    { kind: 'Brand', field: 'brand', texts: video.brands },
    { kind: 'Annotations', field: 'label', texts: video.labels },
    { kind: 'Owner', field: undefined, texts: video.owner ? [video.owner] : [] },
  ];
  return heads.flatMap(({ texts, ...head }) =>
    texts.flatMap((text) => (named.has(nameKey(head.kind, text)) ? [] : (matchText(text, head, { plan, matcher }) ?? []))),
  );
}

function matchText(
  text: string,
  { kind, field }: Omit<HeadText, 'texts'>,
  { plan, matcher }: { plan: SearchPlan; matcher: PlanMatcher },
): MomentMatch | undefined {
  const folded = foldText(text);
  matcher.telling.lastIndex = 0;
  // Most names hold nothing of what is asked for.
  if (!matcher.telling.test(folded.text)) return undefined;
  const places: { from: number; to: number }[] = [];
  for (let from = nextTokenStart(folded.text, 0); from < folded.text.length; ) {
    const to = tokenEnd(folded.text, from);
    places.push({ from, to });
    from = nextTokenStart(folded.text, to);
  }
  const words = Int32Array.from(places, ({ from, to }) => wordCode(folded.text.slice(from, Math.min(to, from + tokenLengthMax))));
  const hits = findWordHits(words, matcher, (asked) => asked === undefined || asked === field);
  const tells = (concept: number) => plan.onlyStopWords || !plan.concepts[concept]?.isStopWord;
  if (!hits.some(({ concept }) => tells(concept))) return undefined;
  const marked = new Set(
    hits.filter(({ concept }) => tells(concept)).flatMap(({ from, to }) => Array.from({ length: to - from }, (_, n) => from + n)),
  );
  // Stop words are marked between and beside words that tell.
  for (const { concept, from } of hits) if (!tells(concept) && (marked.has(from - 1) || marked.has(from + 1))) marked.add(from);
  const fits = new Map<number, number>();
  for (const { concept, fit } of hits) fits.set(concept, Math.max(fits.get(concept) ?? 0, fit));
  const score = [...fits].reduce((sum, [concept, fit]) => sum + fit * (plan.concepts[concept]?.weight ?? 0), 0) * ofMoment.ofHead[kind];
  const ranges = runsOf(marked).map(
    ([first, last]) => [folded.surfaceAt(places[first]?.from ?? 0), folded.surfaceAt(places[last]?.to ?? 0)] as const,
  );
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
