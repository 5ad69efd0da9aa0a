import Hls, { type ErrorData, ErrorDetails, ErrorTypes, Events } from 'hls.js/light';
import type { PlaybackFault } from './playback.ts';

interface StreamOptions {
  readonly address: string;
  readonly startInSeconds: number;
  onFault(fault: PlaybackFault): void;
  /** The stream cookie is no longer taken: renew it, then call `resume`. */
  onExpired(): void;
}

/** A film's stream on a media element. */
export interface Stream {
  /** Goes on where it stopped, after the cookie was renewed. */
  resume(): void;
  /** Begins anew at the current second, after a failure. */
  reopen(): void;
}

/** Opens an HLS stream: through hls.js where the browser has media sources, else by the browser itself. */
export function openStream(video: HTMLVideoElement, options: StreamOptions): Stream {
  video.addEventListener('loadedmetadata', () => {
    // A link may name a second after the end, when the film was cut later.
    if (video.currentTime > video.duration) video.currentTime = video.duration;
  });
  return Hls.isSupported() ? openWithHls(video, options) : openNatively(video, options);
}

function openWithHls(video: HTMLVideoElement, options: StreamOptions): Stream {
  let hls = start(options.startInSeconds);
  let hasRecovered = false;

  function start(startPosition: number): Hls {
    const opened = new Hls({ startPosition, enableWorker: false, backBufferLength: 60 });
    opened.on(Events.ERROR, (_event, error) => judge(error));
    opened.on(Events.LEVEL_LOADED, (_event, { details }) => {
      if (startPosition > details.totalduration) opened.startLoad(details.totalduration);
    });
    opened.loadSource(options.address);
    opened.attachMedia(video);
    return opened;
  }
  function judge(error: ErrorData) {
    const status = error.response?.code;
    if (status === 401 || status === 403) {
      hls.stopLoad();
      return options.onExpired();
    }
    if (!error.fatal) return;
    if (error.details === ErrorDetails.MANIFEST_LOAD_ERROR && status === 404) return options.onFault('absent');
    if (error.type === ErrorTypes.MEDIA_ERROR && !hasRecovered) {
      hasRecovered = true;
      return hls.recoverMediaError();
    }
    options.onFault('failed');
  }
  function reopen() {
    const seconds = video.currentTime || options.startInSeconds;
    hls.destroy();
    hasRecovered = false;
    hls = start(seconds);
  }
  return {
    // Without a playlist there is nothing to go on with yet.
    resume: () => (hls.levels.length === 0 ? reopen() : hls.startLoad(video.currentTime)),
    reopen,
  };
}

function openNatively(video: HTMLVideoElement, options: StreamOptions): Stream {
  function reopen(seconds: number) {
    video.src = options.address;
    video.addEventListener('loadedmetadata', () => (video.currentTime = Math.min(seconds, video.duration)), { once: true });
  }
  // The browser does not tell why, so a first failure may be a cookie that ran out.
  let isFirst = true;
  video.addEventListener('error', () => {
    if (isFirst) options.onExpired();
    else options.onFault('failed');
    isFirst = false;
  });
  reopen(options.startInSeconds);
  return { resume: () => reopen(video.currentTime), reopen: () => reopen(video.currentTime) };
}
