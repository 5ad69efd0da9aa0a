import type { FilmVisibility } from '#contract/films.ts';
import { LocalTime } from './local-time.tsx';

/** Who sees a film, in a few words. */
export function VisibilityWords({ visibility: { shownTo, until } }: { visibility: Pick<FilmVisibility, 'shownTo' | 'until'> }) {
  if (shownTo === 'everybody') return 'visible to everyone';
  const who = shownTo === 'viewers' ? 'hidden from guests' : until ? 'editors only' : 'taken down';
  if (!until) return who;
  return (
    <>
      {who} until <LocalTime at={until} />
    </>
  );
}
