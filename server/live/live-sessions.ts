/*
 * Events to open pages: whose rights or films changed hears of it at once. What changed is heard from the database (domain/users/listen-for-rights);
 * the stream itself is a route of account, and the page that listens is web/api/live.
 */
import { Readable } from 'node:stream';
import { serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { can } from '#contract/roles.ts';
import { Session } from '#contract/session.ts';
import type { Pool } from '#domain/db/database.ts';
import { findSessionById } from '#domain/signin/sessions.ts';

/** Everybody who has a page open and wants to hear when their session changes. */
export interface LiveSessions {
  /**
   * The events of one session until it ends: `session` at once and after every change, `users` for administrators when
   * anybody's account changed, `film` for whoever may watch when a film is shown to them no more. Throws `unavailable` when this process has no room for more.
   */
  follow(session: Who): Readable;
  /** To be called when a user changed, with null when it may have been anybody. */
  heard(uid: string | null): void;
  /** To be called when a film was taken from those who might watch it, with null when it may have been any. */
  filmTaken(videoId: string | null): void;
  /** Ends every stream. */
  close(): void;
}

interface LiveSessionLimits {
  readonly heartbeatMs: number;
  /** One browser needs one stream; whoever opens more than this loses the oldest. */
  readonly perSession: number;
  /** The same over all sessions of one user: signing in again and again should not take the room of everybody else. */
  readonly perUser: number;
  readonly perProcess: number;
  /** Administrators hear of other people once in this time at most. */
  readonly usersEveryMs: number;
}

interface Who {
  readonly sid: string;
  readonly uid: string;
}

interface Follower extends Who {
  readonly events: EventStream;
  /** What it was told last. */
  told: string;
  isAdmin: boolean;
  mayWatch: boolean;
}

const comeBackInMs = 2_000;
const comeBackLaterInMs = 60_000;
const usual: LiveSessionLimits = {
  heartbeatMs: 20_000,
  ...serverLimits.livePagesMax,
  usersEveryMs: 1_000,
};

/** Keeps the streams of one process. Sessions are read from the database, so that what another process changed counts as well. */
export function openLiveSessions(pool: Pool, limits: LiveSessionLimits = usual): LiveSessions {
  const followers = new Set<Follower>();
  const look = queueLooks(async (follower) => {
    const session = await findSessionById(pool, follower);
    if (!followers.has(follower)) return;
    tell(follower, session ? Session.parse(session) : { user: null });
    if (!session) dismiss(follower);
  });
  const tellOfUsers = atMostEvery(limits.usersEveryMs, () => {
    for (const { isAdmin, events } of followers) if (isAdmin) events.say('users', {});
  });
  // A session also runs out, which nobody announces: it is looked at with every beat.
  const heartbeat = setInterval(() => {
    for (const { events } of followers) events.beat();
    look(followers);
  }, limits.heartbeatMs).unref();
  let isClosed = false;
  // Counted out at once: a browser that never reads the end would keep its place for ever.
  const dismiss = (follower: Follower | undefined, laterInMs?: number) => {
    if (follower && followers.delete(follower)) follower.events.end(laterInMs);
  };

  return {
    follow: (who) => {
      dismiss(chooseOldestOverLimit(followers, who, limits), comeBackLaterInMs);
      if (isClosed || followers.size >= limits.perProcess)
        throw new Problem('unavailable', 'You have too many pages open. Try again in a moment.', { retryAfterSeconds: 30 });
      const follower: Follower = { ...who, events: openEventStream(comeBackInMs), told: '', isAdmin: false, mayWatch: false };
      followers.add(follower);
      follower.events.readable.once('close', () => followers.delete(follower));
      look([follower]);
      return follower.events.readable;
    },
    heard: (uid) => {
      look([...followers].filter((follower) => uid === null || follower.uid === uid));
      tellOfUsers.soon();
    },
    filmTaken: (id) => {
      for (const { mayWatch, events } of followers) if (mayWatch) events.say('film', { id });
    },
    close: () => {
      isClosed = true;
      clearInterval(heartbeat);
      tellOfUsers.stop();
      for (const follower of followers) dismiss(follower);
    },
  };
}

/** Who makes room for one more stream of the same session or user. */
function chooseOldestOverLimit(
  followers: ReadonlySet<Follower>,
  who: Who,
  { perSession, perUser }: LiveSessionLimits,
): Follower | undefined {
  const ofUser = [...followers].filter(({ uid }) => uid === who.uid);
  const ofSession = ofUser.filter(({ sid }) => sid === who.sid);
  if (ofSession.length >= perSession) return ofSession[0];
  return ofUser.length >= perUser ? ofUser[0] : undefined;
}

function tell(follower: Follower, session: Session): void {
  const text = JSON.stringify(session);
  if (text === follower.told) return;
  follower.told = text;
  follower.isAdmin = can(session.user?.roles, 'admin');
  follower.mayWatch = can(session.user?.roles, 'view');
  follower.events.say('session', session);
}

/** Gives a function that queues followers and looks at one after the other, however many there are: the database has others to serve. */
function queueLooks(lookAt: (follower: Follower) => Promise<void>): (at: Iterable<Follower>) => void {
  const waiting = new Set<Follower>();
  let isLooking = false;
  return (at) => {
    for (const follower of at) waiting.add(follower);
    if (isLooking) return;
    isLooking = true;
    void lookAtAll().finally(() => (isLooking = false));
  };

  async function lookAtAll(): Promise<void> {
    for (const follower of waiting) {
      waiting.delete(follower);
      // A database that is away is asked again when it is back, or with the next beat.
      await lookAt(follower).catch(() => {});
    }
  }
}

/** Does something soon after it was asked for, and not again before this time has passed. */
function atMostEvery(ms: number, act: () => void): { soon(): void; stop(): void } {
  let doneAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  return {
    soon: () => {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          doneAt = Date.now();
          act();
        },
        Math.max(0, doneAt + ms - Date.now()),
      ).unref();
    },
    stop: () => clearTimeout(timer),
  };
}

/** One answer of server-sent events, as a stream that the answer is made of. */
interface EventStream {
  readonly readable: Readable;
  /** Sends an event with its data as JSON. */
  say(event: string, data: unknown): void;
  /** Sends a comment, so that proxies see life and a connection that is gone is noticed. */
  beat(): void;
  /** Ends the answer; the browser comes back after `comeBackInMs`, when that is given. */
  end(comeBackInMs?: number): void;
}

/** Opens a stream of events; a browser that loses it comes back after `comeBackInMs`. */
function openEventStream(comeBackInMs: number): EventStream {
  const readable = new Readable({ read: () => {} });
  const write = (text: string) => {
    if (readable.destroyed || readable.readableEnded) return;
    if (readable.readableLength > serverLimits.liveUnreadMaxBytes) readable.destroy();
    else readable.push(text);
  };
  let isOver = false;
  write(`retry: ${comeBackInMs}\n\n`);
  return {
    readable,
    say: (event, data) => !isOver && write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    beat: () => !isOver && write(':\n\n'),
    end: (later) => {
      if (isOver) return;
      if (later !== undefined) write(`retry: ${later}\n\n`);
      isOver = true;
      if (!readable.destroyed) readable.push(null);
    },
  };
}
