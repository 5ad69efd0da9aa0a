import type { Storyboard } from '#contract/video-service/storyboard.ts';
import { spellTime } from '#web/components/text/time-code.ts';
import { pageSettings } from '#web/page-settings.ts';
import type { Store } from '#web/ui/store.ts';
import type { EmbedAddress } from '../embed-address.ts';
import type { MarkedMoment } from '../marked-moment.ts';
import type { Outline } from '../outline.ts';
import type { ParentPage } from '../parent-page.ts';
import { aimAt } from './aim-at.ts';
import { matchesAround, secondsAround } from './film-strip.ts';
import { isRunning, type Playback } from './playback.ts';
import { hearCommands, isForPage, type PlayerCommand } from './shortcuts.ts';
import type { Captions } from './watch-captions.ts';

/** Everything the player's controls handle. */
export interface Deck {
  readonly video: HTMLVideoElement;
  readonly playback: Playback;
  readonly captions: Captions;
  readonly lacks: EmbedAddress['lacks'];
  /** The second at which the film was opened. */
  readonly openedAt: number;
  /** In order of time. */
  readonly found: readonly MarkedMoment[];
  /** Seconds at which shots begin, in order; none where they are not known. */
  readonly shots: readonly number[];
  /** Seconds at which somebody begins to speak and ends, by turns; none where that is not known. */
  readonly speech: readonly number[];
  /** From where to where somebody asks for the film, in seconds; none where nobody does. */
  readonly range: readonly number[];
  /** Written texts to outline in the picture while they stand there. */
  readonly outlined: readonly Outline[];
  /** The language of its captions, by its code; undefined until it is told. */
  readonly spokenIn?: string;
  readonly storyboard: Storyboard | null;
  readonly storyboardPicture: string;
  readonly poster: string;
  /** Address of a small frame of the film by its number. */
  frame(n: number): string;
  retry(): void;
  /** What a key did that nobody sees who looks elsewhere. */
  readonly said: Store<string> & { set(sentence: string): void };
}

/** Does what a key or a button of the player asks for. */
export function runCommand(command: PlayerCommand, deck: Deck): void {
  const { playback, captions } = deck;
  const { currentTime, volume, isMuted, durationInSeconds } = playback.read();
  const isPlaying = isRunning(playback.read());
  const step = (seconds: number) => playback.seek(currentTime + seconds);
  const reach = (seconds: number | undefined) => {
    if (seconds !== undefined) playback.seek(aimAt(seconds));
  };
  const around = () => matchesAround(deck.found, currentTime, { openedAt: deck.openedAt, isPlaying });
  const act: Record<typeof command, () => void> = {
    'toggle-play': playback.toggle,
    'back-10': () => step(-10),
    'forward-10': () => step(10),
    'back-5': () => step(-5),
    'forward-5': () => step(5),
    'previous-frame': () => playback.stepFrame(-1),
    'next-frame': () => playback.stepFrame(1),
    louder: () => playback.setVolume(volume + 0.1),
    quieter: () => playback.lowerVolume(0.1),
    'toggle-mute': () => playback.setMuted(!isMuted),
    'toggle-captions': captions.toggle,
    'toggle-full-screen': () => toggleFullScreen(deck.video),
    'next-match': () => reach(around().next),
    'previous-match': () => reach(around().previous),
    'next-shot': () => reach(secondsAround(deck.shots, currentTime, { isPlaying }).next),
    'previous-shot': () => reach(secondsAround(deck.shots, currentTime, { isPlaying }).previous),
    'to-start': () => playback.seek(0),
    'to-end': () => playback.seek(durationInSeconds),
    'show-help': () => document.querySelector<HTMLDialogElement>('#shortcut-help')?.showModal(),
  };
  act[command]();
}

declare global {
  interface HTMLVideoElement {
    readonly webkitSupportsFullscreen?: boolean;
    readonly webkitEnterFullscreen?: () => void;
  }
}

/** Whether there is a full screen: of this page, or, on iPhones, of the film alone in the player of the device. */
export function hasFullScreen(video: HTMLVideoElement): boolean {
  return document.fullscreenEnabled || video.webkitSupportsFullscreen === true;
}

/** Full screen may be refused, by the browser or by the page that shows the frame; then nothing changes. */
function toggleFullScreen(video: HTMLVideoElement): void {
  if (!document.fullscreenEnabled) {
    if (video.webkitSupportsFullscreen === true) video.webkitEnterFullscreen?.();
    return;
  }
  const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  change.catch(() => undefined);
}

/** Obeys the keys of this document wherever its focus is, and those that the page passes on. The field to search in and the marks are the page's own. */
export function listenForKeys(currentDeck: () => Deck, page: ParentPage): void {
  const obey = (command: PlayerCommand) => {
    const deck = currentDeck();
    const outcome = wordOutcome(command, deck);
    runCommand(command, deck);
    if (outcome !== null) deck.said.set(outcome);
  };
  hearCommands((command) => {
    if (isForPage(command)) page.say({ command });
    else obey(command);
    return true;
  });
  page.listen(({ command }) => {
    if (command !== undefined && !isForPage(command)) obey(command);
  });
}

/** What a command is about to do, for whoever does not see it; null for what is heard, or takes the focus. */
function wordOutcome(command: PlayerCommand, { playback, captions, found, openedAt }: Deck): string | null {
  const { isMuted, currentTime } = playback.read();
  const { isAvailable, isShown } = captions.read();
  if (command === 'toggle-mute') return isMuted ? 'Sound on' : 'Sound off';
  if (command === 'toggle-captions') return isAvailable ? `Captions ${isShown ? 'off' : 'on'}` : 'This video has no captions';
  if (command !== 'next-match' && command !== 'previous-match') return null;
  const around = matchesAround(found, currentTime, { openedAt, isPlaying: isRunning(playback.read()) });
  const seconds = command === 'next-match' ? around.next : around.previous;
  if (seconds === undefined) return command === 'next-match' ? 'No next match' : 'No previous match';
  const { number } = matchesAround(found, aimAt(seconds));
  return `Match ${number} of ${found.length}, ${spellTime(seconds)}: ${found[number - 1]?.text ?? ''}`;
}

/** Names the film where a device shows what plays, on its lock screen or beside its volume, and obeys the keys that it has for that. */
export function showOnDevice(currentDeck: () => Deck, page: ParentPage): void {
  if (!('mediaSession' in navigator)) return;
  const { mediaSession } = navigator;
  page.listen(({ title }) => {
    if (title === undefined) return;
    mediaSession.metadata = new MediaMetadata({ title, artist: pageSettings.archive.name, artwork: [{ src: currentDeck().poster }] });
  });
  const obey = (action: MediaSessionAction, act: MediaSessionActionHandler) => {
    try {
      mediaSession.setActionHandler(action, act);
    } catch {
      // Not every browser knows every action.
    }
  };
  obey('play', () => currentDeck().playback.play());
  obey('pause', () => currentDeck().playback.pause());
  obey('seekbackward', () => runCommand('back-10', currentDeck()));
  obey('seekforward', () => runCommand('forward-10', currentDeck()));
  obey('seekto', ({ seekTime }) => seekTime !== undefined && currentDeck().playback.seek(seekTime));
}
