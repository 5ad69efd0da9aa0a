import { can } from '#contract/roles.ts';
import { routes } from '#contract/routes.ts';
import type { Session, SignedInUser } from '#contract/session.ts';
import { call } from '../call.ts';
import { askAnew, queryClient, toFilmKey } from '../query-client.ts';
import { leaving, sessionQuery, startAnew } from '../session.ts';
import { forgetVideoTokens, renewTokens } from '../tokens.ts';
import { usersKey } from '../users.ts';

/** Takes over what the server says of the session by itself, until it is told to stop. */
export function takeSessionNews(stop: AbortSignal): void {
  followSession(stop, hearNews);
}

function hearNews(heard: SessionNews): void {
  if (heard.news === 'users') void queryClient.invalidateQueries({ queryKey: usersKey });
  // A page that shows it asks whether it is there still; one that may have missed something, whatever it shows.
  else if (heard.news === 'film') void queryClient.invalidateQueries({ queryKey: toFilmKey(heard.id) });
  // Whoever leaves knows that the session ends, and is on the way to an open page.
  else if (!leaving.isUnderWay) takeSession(heard.session).catch((reason: unknown) => console.error('The session was not read.', reason));
}

async function takeSession(session: Session): Promise<void> {
  const before = readKnownUser();
  // An answer on its way may be older than this news.
  await queryClient.cancelQueries(sessionQuery);
  if (session.user && session.user.uid === before?.uid) return takeRoles(before, session.user);
  // What ended may be the session before this one, or it was another tab's stream that was refused: the server is asked.
  const { user } = await call('session', {});
  if (user && user.uid === before?.uid) takeRoles(before, user);
  else if (!leaving.isUnderWay) await startAnew();
}

/** The same person with other roles: what the page shows stays, the tokens follow. */
function takeRoles(before: SignedInUser, user: SignedInUser): void {
  queryClient.setQueryData(sessionQuery.queryKey, { user });
  if (JSON.stringify(before.roles) === JSON.stringify(user.roles)) return;
  if (!can(user.roles, 'view')) forgetVideoTokens();
  renewTokens();
  // What is told of a match hangs on it, and which films there are; the lists on show stay until they are told anew.
  if (can(before.roles, 'view') !== can(user.roles, 'view')) askAnew();
}

function readKnownUser(): SignedInUser | null {
  return queryClient.getQueryData(sessionQuery.queryKey)?.user ?? null;
}

/** What the server tells an open page by itself: the session as it is now, that people changed (administrators only), or that a film is shown no more. */
type SessionNews =
  | { readonly news: 'session'; readonly session: Session }
  | { readonly news: 'users' }
  | { readonly news: 'film'; readonly id: string | null };

const sharedName = 'rushes-session-events';
const question = 'what is the session now';
const openAgainAfterMs = 30_000;

/**
 * Hears of every change of this browser's session until `stop`. Browsers allow a site few connections, so one tab listens for
 * all of them and passes on what it hears; when it closes, the next one takes its place.
 */
function followSession(stop: AbortSignal, hear: (news: SessionNews) => void): void {
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
  // On plain http beyond this machine there are no locks, and a browser may give none: then every tab listens for itself.
  const alone = () => (stop.aborted ? undefined : listen());
  if (navigator.locks) void navigator.locks.request(sharedName, { signal: stop }, listen).catch(alone);
  else void listen();
  // Whatever changed between this page's own question and now.
  others.postMessage(question);
}

/** Resolves when it is told to stop. The browser itself opens a lost connection again; what it gives up on is tried again here. */
function listenToServer(stop: AbortSignal, tell: (news: SessionNews) => void): Promise<void> {
  return new Promise((stopped) => {
    let source: EventSource;
    let timer: number | undefined;
    let hasListened = false;
    const open = () => {
      source = new EventSource(routes.sessionEvents.path);
      source.addEventListener('open', () => {
        // Whatever was told meanwhile is lost.
        if (hasListened) for (const news of [{ news: 'users' }, { news: 'film', id: null }] as const) tell(news);
        hasListened = true;
      });
      source.addEventListener('session', ({ data }) => tell({ news: 'session', session: JSON.parse(data) }));
      source.addEventListener('users', () => tell({ news: 'users' }));
      source.addEventListener('film', ({ data }) => tell({ news: 'film', id: JSON.parse(data).id }));
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
