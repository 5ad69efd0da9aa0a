import { inStorage } from '#web/ui/in-storage.ts';
import { createStore } from '#web/ui/store.ts';
import type { ParentPage } from '../parent-page.ts';
import { aimAt, aimAtFrame, noFrames, type SeenFrames, seeFrame } from './aim-at.ts';

/** Why nothing plays: it broke, what comes next does not come through, there is no playable copy, or the visitor may no longer watch. */
export type PlaybackFault = 'failed' | 'away' | 'absent' | 'denied';

type PlaybackStatus = 'loading' | 'paused' | 'playing' | 'buffering' | 'ended' | PlaybackFault;

/** Whether it plays, or will as soon as it can. */
export function isRunning({ status, isPaused }: Pick<PlaybackState, 'status' | 'isPaused'>): boolean {
  return status === 'playing' || status === 'buffering' || (status === 'away' && !isPaused);
}

/** What the deck shows of a playing film. */
interface PlaybackState {
  readonly status: PlaybackStatus;
  readonly isPaused: boolean;
  readonly currentTime: number;
  readonly durationInSeconds: number;
  readonly volume: number;
  readonly isMuted: boolean;
  /** The browser let the film begin without sound only. */
  readonly isSoundRefused: boolean;
  readonly speed: number;
  readonly hasPicture: boolean;
}

/** A film as the deck sees and handles it. */
export interface Playback {
  read(): PlaybackState;
  subscribe(changed: () => void): () => void;
  setFault(fault: PlaybackFault | null): void;
  /** Begins without being asked; muted (and then `onSoundRefused`) when the browser refuses sound, not at all when it refuses that too. */
  begin(onSoundRefused: () => void): Promise<void>;
  play(): void;
  pause(): void;
  toggle(): void;
  seek(seconds: number): void;
  /** Pauses, and shows the frame before or behind. */
  stepFrame(direction: 1 | -1): void;
  /** Turns sound on, but for none. */
  setVolume(volume: number): void;
  /** What is muted stays so. */
  lowerVolume(by: number): void;
  setMuted(isMuted: boolean): void;
  setSpeed(speed: number): void;
}

const changes = [
  'loadedmetadata',
  'loadeddata',
  'durationchange',
  'timeupdate',
  'seeking',
  'seeked',
  'play',
  'playing',
  'pause',
  'waiting',
  'canplay',
  'ended',
  'volumechange',
  'ratechange',
  'resize',
  'emptied',
];

/** Makes what a video element is doing a store, and its controls safe to call at any time. Its length is `knownSeconds` until it tells. */
export function watchPlayback(video: HTMLVideoElement, knownSeconds: number): Playback {
  let fault: PlaybackFault | null = null;
  let isSoundRefused = false;
  let isToPlay = false;
  const frames = watchFrames(video);
  const choices = keepChoices(video);
  const store = createStore(readState());

  function readState(): PlaybackState {
    return {
      status: statusOf(video, fault),
      isPaused: video.paused,
      currentTime: video.currentTime,
      durationInSeconds: Number.isFinite(video.duration) ? video.duration : knownSeconds,
      volume: video.volume,
      isMuted: video.muted,
      isSoundRefused,
      speed: video.playbackRate,
      hasPicture: video.readyState >= 2 && video.videoWidth > 0,
    };
  }
  const refresh = () => {
    // Once it is on, whoever turns it off wants it so.
    isSoundRefused &&= video.muted;
    store.set(readState());
  };
  const play = () => void video.play().catch(refresh);
  const seek = (seconds: number) => {
    video.currentTime = Math.min(Math.max(0, seconds), store.read().durationInSeconds || seconds);
    // Where there is no film no event tells of it, and its lines are walked all the same.
    if (fault === 'absent') video.dispatchEvent(new Event('timeupdate'));
  };

  for (const change of changes) video.addEventListener(change, refresh);
  video.addEventListener('play', () => (isToPlay = true));
  // What cannot be decoded pauses it, too.
  video.addEventListener('pause', () => (isToPlay &&= video.error !== null));
  // Taken from its film, as to have it decoded anew, an element stops without an event. With the film again it plays on.
  video.addEventListener('loadedmetadata', () => isToPlay && play());
  return {
    read: store.read,
    subscribe: store.subscribe,
    setFault: (found) => {
      fault = found;
      refresh();
    },
    begin: async (onSoundRefused) => {
      const refused = () => {
        isSoundRefused = true;
        onSoundRefused();
      };
      isToPlay = true;
      if (!(await playEvenMuted(video, refused))) isToPlay = false;
      refresh();
    },
    play,
    pause: () => video.pause(),
    toggle: () => (video.paused || video.ended ? play() : video.pause()),
    seek,
    stepFrame: (direction) => {
      video.pause();
      seek(aimAtFrame(frames(), direction, video.currentTime));
    },
    ...choices,
  };
}

interface Choices {
  readonly volume: number;
  readonly isMuted: boolean;
  readonly speed: number;
}

const choicesKey = 'rushes-playback';

/** Sound and speed, as they were chosen last in this browser for whatever film. */
function keepChoices(video: HTMLVideoElement): Pick<Playback, 'setVolume' | 'lowerVolume' | 'setMuted' | 'setSpeed'> {
  const keep = (chosen: Partial<Choices>) =>
    inStorage('localStorage', (storage) => storage.setItem(choicesKey, JSON.stringify({ ...readChoices(), ...chosen })));
  const turnTo = (speed: number) => {
    video.playbackRate = speed;
    // What is opened anew begins with this one.
    video.defaultPlaybackRate = speed;
  };
  const turnVolume = (volume: number) => {
    // Ten tenths less than full are nothing, and not what is left of them by rounding.
    video.volume = Math.round(Math.min(Math.max(0, volume), 1) * 100) / 100;
  };
  const setVolume = (volume: number) => {
    turnVolume(volume);
    video.muted = video.volume === 0;
    keep({ volume: video.volume, isMuted: video.muted });
  };
  const first = readChoices();
  turnVolume(first.volume);
  video.muted = first.isMuted || video.volume === 0;
  turnTo(first.speed);
  return {
    setVolume,
    lowerVolume: (by) => {
      if (!video.muted) return setVolume(video.volume - by);
      turnVolume(video.volume - by);
      keep({ volume: video.volume });
    },
    setMuted: (isMuted) => {
      video.muted = isMuted;
      if (!isMuted && video.volume === 0) video.volume = 0.5;
      keep({ volume: video.volume, isMuted });
    },
    setSpeed: (speed) => {
      turnTo(speed);
      keep({ speed });
    },
  };
}

function readChoices(): Choices {
  const kept: unknown = inStorage('localStorage', (storage) => JSON.parse(storage.getItem(choicesKey) ?? '{}'));
  const read = (name: keyof Choices): unknown => Reflect.get(Object(kept), name);
  const within = (value: unknown, [least, most]: readonly [number, number]) =>
    typeof value === 'number' && value >= least && value <= most ? value : 1;
  return { volume: within(read('volume'), [0, 1]), isMuted: read('isMuted') === true, speed: within(read('speed'), [0.25, 4]) };
}

/** Whether the browser lets it play, at least muted. */
async function playEvenMuted(video: HTMLVideoElement, onSoundRefused: () => void): Promise<boolean> {
  if (await isLetPlay(video)) return true;
  video.muted = true;
  onSoundRefused();
  return await isLetPlay(video);
}

/** What else ends the attempt, such as another film, is no refusal. */
async function isLetPlay(video: HTMLVideoElement): Promise<boolean> {
  const isRefusal = (reason: unknown) => reason instanceof DOMException && reason.name === 'NotAllowedError';
  return await video.play().then(
    () => true,
    (reason) => !isRefusal(reason),
  );
}

/** What the browser tells of the frames that come on show, where it does. */
function watchFrames(video: HTMLVideoElement): () => SeenFrames {
  let seen = noFrames;
  const next = () =>
    video.requestVideoFrameCallback((_now, { mediaTime }) => {
      seen = seeFrame(seen, mediaTime, !video.paused);
      next();
    });
  if ('requestVideoFrameCallback' in video) next();
  // Until the film has come to where it was sent, another frame than that is on show.
  return () => (video.seeking ? { ...seen, shownAt: null } : seen);
}

const haveCurrentData = 2;
const haveFutureData = 3;

/** The one word for what a media element is doing. */
export function statusOf(
  video: Pick<HTMLVideoElement, 'readyState' | 'ended' | 'paused' | 'seeking' | 'currentTime'>,
  fault: PlaybackFault | null,
): PlaybackStatus {
  // What has come already is played meanwhile.
  const isStarved = !video.ended && video.readyState < (video.paused ? haveCurrentData : haveFutureData);
  if (fault && (fault !== 'away' || isStarved)) return fault;
  if (video.ended) return 'ended';
  if (video.readyState < haveCurrentData && (video.paused || video.currentTime === 0)) return video.seeking ? 'buffering' : 'loading';
  if (video.readyState < haveFutureData && !video.paused) return 'buffering';
  return video.paused ? 'paused' : 'playing';
}

/** Tells the page what the film does, and does what the page says. */
export function speakWithPage(video: HTMLVideoElement, playback: Playback, page: ParentPage): void {
  video.addEventListener('loadedmetadata', () => page.say({ loaded: true }));
  video.addEventListener('play', () => page.say({ played: true }));
  video.addEventListener('pause', () => page.say({ paused: true }));
  for (const change of ['timeupdate', 'seeking']) {
    video.addEventListener(change, () => page.say({ currentTime: video.currentTime }));
  }
  page.listen((message) => {
    if (message.time !== undefined) playback.seek(aimAt(message.time));
    if (message.play) playback.play();
    if (message.pause) playback.pause();
    if (message.language !== undefined) chooseTextLanguage(video, message.language);
  });
}

function chooseTextLanguage(video: HTMLVideoElement, language: string): void {
  for (const track of Array.from(video.textTracks)) {
    // A film with captions in one language only keeps them, whatever was asked for.
    if (track.language !== '') track.mode = track.language === language ? 'hidden' : 'disabled';
  }
}
