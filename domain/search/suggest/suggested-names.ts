import type { Pool } from '../../db/database.ts';
import { findVideos } from '../../videos/find-videos.ts';
import { tokensOf } from '../../words/tokens.ts';
import { headMatches } from '../match/head-matches.ts';
import type { MomentMatch } from '../match/moment-match.ts';
import { planMatcher } from '../match/plan-matcher.ts';
import type { Query } from '../query/query.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import type { FoundVideo } from '../search-request.ts';
import { fit } from '../weights.ts';
import type { FoundName } from './find-names.ts';
import { type KnownName, type NameKind, nameKinds } from './known-names.ts';

/** A video for each name, the newest that carries it, with the name as its only match. */
export async function namedVideos(
  pool: Pool,
  { query, plan }: { query: Query; plan: SearchPlan },
  found: Record<NameKind, readonly FoundName[]>,
): Promise<FoundVideo[]> {
  const names = nameKinds.flatMap((kind) => found[kind].map(({ name }) => name));
  const marking = withEndings(query, plan, names);
  const answering = { plan: marking, matcher: planMatcher(marking) };
  const ids = names.map(({ videos }) => videos.at(-1) ?? '');
  const videos = new Map((await findVideos(pool, [...new Set(ids)])).map((video) => [video.id, video]));
  return names.flatMap((name, n) => {
    const video = videos.get(ids[n] ?? '');
    // It may have been withdrawn since.
    const match = video?.state === 'Processed' && headMatches(video, answering, new Set()).find((one) => isOf(name, one));
    if (!video || !match) return [];
    const count = name.kind === 'Title' ? {} : { videos: name.videos.length };
    return [{ video, matches: [{ ...match, ...count }], matchesTotal: 1, counts: {}, lacks: [] }];
  });
}

function isOf({ kind, words }: KnownName, match: MomentMatch): boolean {
  return match.kind === kind && ` ${tokensOf(match.text).join(' ')} ` === words;
}

/** The plan with the words of these names that begin as what was typed ends: they are to be marked, however rare. */
function withEndings(query: Query, plan: SearchPlan, names: readonly KnownName[]): SearchPlan {
  const concepts = plan.concepts.map((concept, n) => {
    const open = query.concepts[n]?.anyOf.filter((term) => term.open) ?? [];
    const endings = open.flatMap(({ tokens, field }) =>
      names.flatMap(({ words }) => endingsIn(words, ` ${tokens.join(' ')}`).map((ending) => ({ tokens: ending, fit: fit.begun, field }))),
    );
    return { ...concept, alternatives: [...concept.alternatives, ...endings] };
  });
  return { ...plan, concepts };
}

/** Each place at which `words` goes on as `beginning` does, to the end of its last word. */
function endingsIn(words: string, beginning: string): string[][] {
  const endings: string[][] = [];
  for (let at = words.indexOf(beginning); at >= 0; at = words.indexOf(beginning, at + 1)) {
    endings.push(words.slice(at + 1, words.indexOf(' ', at + beginning.length)).split(' '));
  }
  return endings;
}
