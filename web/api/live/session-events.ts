import { routes } from '#contract/routes.ts';
import type { Session } from '#contract/session.ts';

/** What the server tells an open page by itself: the session as it is now, or (administrators only) that people changed. */
export type SessionNews = { readonly news: 'session'; readonly session: Session } | { readonly news: 'users' };

const sharedName = 'rushes-session-events';
const question = 'what is the session now';
const openAgainAfterMs = 30_000;

/**
 * Hears of every change of this browser's session until `stop`. Browsers allow a site few connections, so one tab listens for
 * all of them and passes on what it hears; when it closes, the next one takes its place.
 */
export function followSession(stop: AbortSignal, hear: (news: SessionNews) => void): void {
  const others = new BroadcastChannel(sharedName);
  let latest: SessionNews | undefined;
  const tellAll = (news: SessionNews) => {
    if (news.news === 'session') latest = news;
    others.postMessage(news);
    hear(news);
  };
  others.onmessage = ({ data }) => {
    if (data !== question) hear(data);
    else if (latest) others.postMessage(latest);
  };
  stop.addEventListener('abort', () => others.close());
  const listen = () => listenToServer(stop, tellAll);
  // On plain http beyond this machine there are no locks: then every tab listens for itself.
  if (navigator.locks) navigator.locks.request(sharedName, { signal: stop }, listen).catch(() => {});
  else void listen();
  // Whatever changed between this page's own question and now.
  others.postMessage(question);
}

/** Resolves when it is told to stop. The browser itself opens a lost connection again; what it gives up on is tried again here. */
function listenToServer(stop: AbortSignal, tell: (news: SessionNews) => void): Promise<void> {
  return new Promise((stopped) => {
    let source: EventSource;
    let timer: number | undefined;
    const open = () => {
      source = new EventSource(routes.sessionEvents.path);
      source.addEventListener('session', ({ data }) => tell({ news: 'session', session: JSON.parse(data) }));
      source.addEventListener('users', () => tell({ news: 'users' }));
      source.addEventListener('error', () => {
        if (source.readyState !== EventSource.CLOSED) return;
        // Refused: mostly because the session has ended, which whoever hears it checks.
        tell({ news: 'session', session: { user: null } });
        timer = window.setTimeout(open, openAgainAfterMs);
      });
    };
    const close = () => {
      window.clearTimeout(timer);
      source.close();
      stopped();
    };
    open();
    stop.addEventListener('abort', close, { once: true });
  });
}
