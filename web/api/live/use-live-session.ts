import { useEffect } from 'react';
import { useSession } from '../session.ts';
import { listenForSignIn, takeSignIn } from './hear-of-sign-ins.ts';

/** Keeps the session as the server knows it, from moment to moment: for somebody signed in by its news, for a guest by the tab that signs in. Once in the whole site. */
export function useLiveSession(): void {
  const session = useSession();
  const uid = session.state === 'signed-in' ? session.user.uid : null;
  // The stream of events lives as long as somebody is signed in, whatever page is on show.
  useEffect(() => {
    if (uid === null) return;
    const stopping = new AbortController();
    // Loaded by whoever is signed in only.
    import('./take-session-news.ts').then(
      ({ takeSessionNews }) => stopping.signal.aborted || takeSessionNews(stopping.signal),
      (reason: unknown) => console.error('The page does not hear of changes of the session.', reason),
    );
    return () => stopping.abort();
  }, [uid]);
  const isGuest = session.state === 'guest';
  useEffect(() => {
    if (!isGuest) return;
    return listenForSignIn(({ outcome }) => {
      if (outcome === 'signed-in') void takeSignIn();
    });
  }, [isGuest]);
}
