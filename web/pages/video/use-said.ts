import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { followRevision } from '#web/api/films.ts';

/** What a dialog about a film says last: what the editor has done there, or what somebody else has since. */
export function useSaid(videoId: string): [said: string, say: (sentence: string) => void] {
  const news = useQuery(followRevision(videoId)).data?.news ?? null;
  const [own, setOwn] = useState({ sentence: '', after: news });
  return [news === own.after ? own.sentence : (news?.sentence ?? ''), (sentence) => setOwn({ sentence, after: news })];
}
