import Hls, { type ErrorData, ErrorDetails, ErrorTypes, Events } from 'hls.js/light';
import { limits } from '#contract/limits.ts';
import { CallFailed } from '#web/api/call-failed.ts';
import { renewCdnCookie, renewMediaSession } from '#web/api/media.ts';
import type { ParentPage } from '../parent-page.ts';
import type { PlaybackFault } from './playback.ts';

interface StreamOptions {
  readonly address: string;
  readonly startInSeconds: number;
  /** Null when the stream goes on by itself. */
  onFault(fault: PlaybackFault | null): void;
  /** The stream cookie is no longer taken: renew it, then call `resume`. */
  onExpired(): void;
}

/** A film's stream on a media element. */
export interface Stream {
  /** Goes on where it stopped, after the cookie was renewed. */
  resume(): void;
  /** Tries again at the current second, after a failure. */
  retry(): void;
}

/** Opens an HLS stream: through hls.js where the browser has media sources, else by the browser itself. */
export function openStream(video: HTMLVideoElement, options: StreamOptions): Stream {
  video.addEventListener('loadedmetadata', () => {
    // A link may name a second after the end, when the film was cut later.
    if (video.currentTime > video.duration) video.currentTime = video.duration;
  });
  return Hls.isSupported() ? openWithHls(video, options) : openNatively(video, options);
}

/** Tells where a stream is opened anew: where the film stands, and until it has stood anywhere, where it was to begin. */
function placeIn(video: HTMLVideoElement, startInSeconds: number): () => number {
  let hasStood = false;
  video.addEventListener('timeupdate', () => (hasStood ||= video.currentTime > 0));
  return () => (hasStood ? video.currentTime : startInSeconds);
}

/** What cannot be decoded is tried once more, and again only when it played for so long in between. */
const recoveredOnceInMs = 30_000;

const triedAgainAfterMs = 5_000;
/** So many times in succession a piece failed before anybody is told. */
const quietTries = 2;

function openWithHls(video: HTMLVideoElement, options: StreamOptions): Stream {
  let hls = start(options.startInSeconds);
  const place = placeIn(video, options.startInSeconds);
  let recoveredAtMs = Number.NEGATIVE_INFINITY;
  let isAway = false;
  let timer = 0;

  function start(startPosition: number): Hls {
    const opened = new Hls({ startPosition, enableWorker: false, backBufferLength: 60 });
    opened.on(Events.ERROR, (_event, error) => judge(error));
    opened.on(Events.LEVEL_LOADED, (_event, { details }) => {
      if (startPosition > details.totalduration) opened.startLoad(details.totalduration);
    });
    opened.on(Events.FRAG_LOADED, () => {
      if (isAway) options.onFault(null);
      isAway = false;
    });
    opened.loadSource(options.address);
    opened.attachMedia(video);
    return opened;
  }
  function judge(error: ErrorData) {
    const status = error.response?.code;
    if (status === 401 || status === 403) {
      hls.stopLoad();
      // Gone on with before it has done with this error, it would stop what was begun anew, and stand still.
      window.setTimeout(options.onExpired);
      return;
    }
    // Of a browser that knows that it is offline no other try is told.
    const isClear = error.fatal || !navigator.onLine || (error.errorAction?.retryCount ?? 0) >= quietTries;
    if (isOutage(error) && isClear) {
      isAway = true;
      options.onFault('away');
      // Of what is fatal nothing is tried again by itself.
      window.clearTimeout(timer);
      if (error.fatal) timer = window.setTimeout(resume, triedAgainAfterMs);
      return;
    }
    if (!error.fatal) return;
    if (error.details === ErrorDetails.MANIFEST_LOAD_ERROR && status === 404) return options.onFault('absent');
    if (error.type === ErrorTypes.MEDIA_ERROR && performance.now() > recoveredAtMs + recoveredOnceInMs) {
      recoveredAtMs = performance.now();
      return hls.recoverMediaError();
    }
    options.onFault('failed');
  }
  function reopen() {
    const seconds = place();
    hls.destroy();
    recoveredAtMs = Number.NEGATIVE_INFINITY;
    hls = start(seconds);
  }
  function resume() {
    window.clearTimeout(timer);
    // Without a playlist there is nothing to go on with yet.
    if (hls.levels.length === 0) reopen();
    else hls.startLoad(place());
  }
  window.addEventListener('online', () => isAway && resume());
  return { resume, retry: () => (isAway ? resume() : reopen()) };
}

/** Whether the network or a server is away, rather than the film. */
function isOutage({ type, response }: ErrorData): boolean {
  const status = response?.code ?? 0;
  return type === ErrorTypes.NETWORK_ERROR && (status === 0 || status === 408 || status === 429 || status >= 500);
}

function openNatively(video: HTMLVideoElement, options: StreamOptions): Stream {
  const place = placeIn(video, options.startInSeconds);
  function reopen() {
    const seconds = place();
    video.src = options.address;
    const goTo = () => (video.currentTime = Math.min(seconds, video.duration));
    video.addEventListener('loadedmetadata', goTo, { once: true });
  }
  // The browser does not tell why, so a first failure may be a cookie that ran out.
  let isFirst = true;
  video.addEventListener('error', () => {
    if (isFirst) options.onExpired();
    else options.onFault('failed');
    isFirst = false;
  });
  // It may sleep past the end of its cookie again.
  video.addEventListener('playing', () => (isFirst = true));
  reopen();
  return { resume: reopen, retry: reopen };
}

interface SessionHooks {
  onRenewed(): void;
  onFault(fault: PlaybackFault): void;
}

/** Shorter than any cookie holds: a refusal after it may be one that has ended. */
const suspiciousWithinMs = 5_000;

/**
 * Keeps the stream cookie valid: with each token that the page posts (every 59 minutes), and by asking for one
 * when the server has turned the cookie away, for instance after the machine slept.
 */
export function keepMediaSession(videoId: string, page: ParentPage, hooks: SessionHooks): { ask(): void } {
  let waiting: number | undefined;
  let renewedAt = Number.NEGATIVE_INFINITY;
  /** What was asked for before may be refused after it: only who is refused again is not let in. */
  let wasRefusedSince = false;
  let isDenied = false;
  /** Somebody is told that it failed; a token may still come. */
  let hasFailed = false;
  const stopWaiting = () => {
    window.clearTimeout(waiting);
    waiting = undefined;
  };

  const renew = async (token: string) => {
    try {
      await renewMediaSession(videoId, token);
      renewedAt = performance.now();
      if (waiting !== undefined || isDenied || hasFailed) hooks.onRenewed();
      wasRefusedSince = isDenied = hasFailed = false;
    } catch (reason) {
      const status = reason instanceof CallFailed ? reason.status : 0;
      // While the present cookie still works, a failed renewal does not stop the film.
      if (waiting !== undefined) hooks.onFault(status === 401 || status === 403 || status === 404 ? 'denied' : 'failed');
    }
    stopWaiting();
  };
  page.listen(({ accessToken }) => {
    if (accessToken !== undefined) renew(accessToken);
  });

  return {
    ask: () => {
      if (waiting !== undefined) return;
      // Turned away right after a renewal: it is the visitor that is not let in, not the cookie's age.
      if (performance.now() - renewedAt < suspiciousWithinMs) {
        isDenied = wasRefusedSince;
        wasRefusedSince = true;
        return isDenied ? hooks.onFault('denied') : hooks.onRenewed();
      }
      waiting = window.setTimeout(() => {
        stopWaiting();
        hasFailed = true;
        hooks.onFault('failed');
      }, limits.accessTokenComesWithinMs);
      page.say({ expired: true });
    },
  };
}

/**
 * Keeps the cookie by which a content delivery network hands out the film's segments, as long as somebody may want them. What comes too late, after
 * a machine slept, is refused there, and the player asks for everything anew.
 */
export function keepCdnCookie(videoId: string, video: HTMLVideoElement): void {
  const renew = () => {
    if (!(document.hidden && video.paused)) void renewCdnCookie(videoId);
  };
  window.setInterval(renew, limits.cdnCookieRenewedEveryMs);
  document.addEventListener('visibilitychange', renew);
  video.addEventListener('play', renew);
}
