import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CorrectionEntry } from '#contract/corrections.ts';
import { followRevision } from '#web/api/films.ts';

/** What a dialog about a film says last: what the editor has done there, or what somebody else has since. */
export function useSaid(videoId: string): [said: string, say: (sentence: string) => void] {
  const news = useQuery(followRevision(videoId)).data?.news ?? null;
  const [own, setOwn] = useState({ sentence: '', after: news });
  return [news === own.after ? own.sentence : (news?.sentence ?? ''), (sentence) => setOwn({ sentence, after: news })];
}

/** What a correction did, in words that stand between what is said now and what it replaced. */
export function describeCorrection({ kind, says, replaces }: Pick<CorrectionEntry, 'kind' | 'says' | 'replaces'>): string {
  if (kind === 'Poster') return 'chosen';
  if (says === null) return kind === 'Person' ? 'are one person' : 'confirmed';
  if (says === '') return kind === 'Person' ? 'is someone else' : 'removed';
  return replaces === '' ? 'added' : 'instead of ';
}
