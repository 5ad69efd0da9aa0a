import { descriptionsOf } from '../../search-index/head-lines.ts';
import type { Video } from '../../videos/video.ts';
import { toLanguageNumber } from '../../words/languages/languages.ts';
import type { QueryField } from '../query/query.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import { ofMoment } from '../weights.ts';
import { acceptedInField } from './film-hits.ts';
import { type Accepts, findWordHits, seekWordHit } from './find-word-hits.ts';
import { markRanges } from './marked-ranges.ts';
import { type MomentMatch, nameKey } from './moment-match.ts';
import type { PlanMatcher } from './plan-matcher.ts';
import { codeWords, findWords, holdsWords } from './text-with-words.ts';
import { WordHits } from './word-hits.ts';

/** What a video is called, and who and what is in it as a whole. */
export type HeadOfVideo = Pick<
  Video,
  'name' | 'description' | 'place' | 'recordedAt' | 'owner' | 'people' | 'brands' | 'labels' | 'language'
>;

interface HeadText {
  readonly kind: keyof typeof ofMoment.untimed;
  readonly field: QueryField | undefined;
  readonly texts: readonly string[];
}

/**
 * The matches of what a video is called, and of who and what is in it, as far as no moment of it says the same.
 * `named`: what moments say, by `nameKey`; `codes`: those of the head row where it is at hand, as most heads hold nothing of what is asked.
 */
export function findHeadMatches(
  video: HeadOfVideo,
  { plan, matcher }: { plan: SearchPlan; matcher: PlanMatcher },
  { named, codes }: { named: ReadonlySet<string>; codes?: Int32Array },
): MomentMatch[] {
  if (codes && !seekWordHit(codes, matcher.significant, { isEnough: () => true })) return [];
  const heads: HeadText[] = [
    { kind: 'Title', field: 'title', texts: [video.name] },
    { kind: 'Description', field: undefined, texts: descriptionsOf(video) },
    { kind: 'Face', field: 'person', texts: video.people },
    { kind: 'Brand', field: 'brand', texts: video.brands },
    { kind: 'Annotations', field: 'label', texts: video.labels },
    { kind: 'Owner', field: undefined, texts: video.owner ? [video.owner] : [] },
  ];
  const language = toLanguageNumber(video.language);
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
  const ranges = markRanges(words, hits, { plan });
  if (ranges.length === 0) return undefined;
  const fits = new Map<number, number>();
  for (const { concept, fit } of hits) fits.set(concept, Math.max(fits.get(concept) ?? 0, fit));
  const score = [...fits].reduce((sum, [concept, fit]) => sum + fit * (plan.concepts[concept]?.weight ?? 0), 0) * ofMoment.untimed[kind];
  return { kind, startMs: 0, isTimed: false, text, ranges, score };
}
