import type { SearchPlan } from '../query/search-plan.ts';
import type { FoundMoment } from './find-moments.ts';
import type { WordHit } from './find-word-hits.ts';
import { type ShownLine, startOfMatch } from './match-start.ts';
import { tells } from './matched-lines.ts';
import type { MomentMatch } from './moment-match.ts';
import { findWords, holdsWords, rangeOfWords } from './word-places.ts';

/** The match that a found moment makes, by the lines of the film; undefined when they only hold other words of the same codes. */
export function showMoment(moment: FoundMoment, lines: ReadonlyMap<number, ShownLine>, plan: SearchPlan): MomentMatch | undefined {
  const { kind, score, shows, wordFrom, name } = moment;
  const first = lines.get(moment.line);
  if (!first) return undefined;
  const text = name ?? (shows?.lines ?? []).flatMap((number) => lines.get(number)?.text ?? []).join(' ');
  const words = findWords(text);
  const hits = moment.hits.filter((hit) => holdsWords(words, hit, wordFrom));
  const ranges = stretchesOf(hits, plan).map(({ from, to }) => rangeOfWords(words, { from: from - wordFrom, to: to - wordFrom }));
  const [range] = ranges;
  if (!range) return undefined;
  const shown = { kind, isTimed: true, text, ranges, score };
  if (!shows) return { ...shown, startMs: first.startMs };
  return { ...shown, startMs: startOfMatch(first, { from: range[0], kind }), ...shows };
}

/** Neighbouring words that matched, taken together. Stop words are marked only beside others. */
function stretchesOf(hits: readonly WordHit[], plan: SearchPlan): { from: number; to: number }[] {
  const stretches: { from: number; to: number; tells: boolean }[] = [];
  for (const hit of hits) {
    const last = stretches.at(-1);
    if (last && hit.from <= last.to) {
      last.to = Math.max(last.to, hit.to);
      last.tells ||= tells(hit, plan);
    } else stretches.push({ from: hit.from, to: hit.to, tells: tells(hit, plan) });
  }
  return stretches.filter((stretch) => stretch.tells);
}
