import type { SummarizedInsights } from '#contract/summarized-insights.ts';
import type { Moment } from '#domain/moments/moment.ts';
import { listSpeakers } from './list-named.ts';

/** What one speaker says before another one does. */
interface Fragment {
  readonly speaker: string;
  ms: number;
  words: number;
}

/** Who speaks how much in a film, by the numbers that its transcript gives them. What nobody is known to say counts for nobody. */
export function countSpeech(moments: readonly Moment[]): SummarizedInsights['statistics'] {
  const fragments = fragmentsOf(moments);
  const allMs = fragments.reduce((sum, { ms }) => sum + ms, 0);
  const bySpeaker = (measure: (own: readonly Fragment[]) => number) =>
    Object.fromEntries(listSpeakers(moments).map((name, n) => [n + 1, measure(fragments.filter(({ speaker }) => speaker === name))]));
  const msOf = (own: readonly Fragment[]) => own.reduce((sum, { ms }) => sum + ms, 0);
  return {
    correspondenceCount: Math.max(0, fragments.length - 1),
    speakerTalkToListenRatio: bySpeaker((own) => (allMs > 0 ? Math.round((msOf(own) / allMs) * 1_000) / 1_000 : 0)),
    speakerLongestMonolog: bySpeaker((own) => Math.floor(Math.max(...own.map(({ ms }) => ms)) / 1_000)),
    speakerNumberOfFragments: bySpeaker((own) => own.length),
    speakerWordCount: bySpeaker((own) => own.reduce((sum, { words }) => sum + words, 0)),
  };
}

function fragmentsOf(moments: readonly Moment[]): Fragment[] {
  const fragments: Fragment[] = [];
  for (const { kind, speaker, startMs, endMs, text } of moments) {
    if (kind !== 'Transcript' || !speaker) continue;
    const last = fragments.at(-1);
    const fragment = last?.speaker === speaker ? last : { speaker, ms: 0, words: 0 };
    fragment.ms += Math.max(0, endMs - startMs);
    fragment.words += text.split(/\s+/).filter((word) => word !== '').length;
    if (fragment !== last) fragments.push(fragment);
  }
  return fragments;
}
