import { videoToken } from '#web/api/tokens.ts';
import type { EmbedMessage } from '#web/embed/embed-messages.ts';
import { type Command, hearCommands } from '#web/embed/player/shortcuts.ts';
import { createStore, type Store } from '#web/embed/use-store.ts';
import { followShownTheme, shownTheme } from '#web/theme/theme.ts';
import { keepChosenTab } from './chosen-tab.ts';
import { commandPlayer, type Frames, mediate, tellFrames, tellPlayer } from './frames.ts';
import { isRefusal } from './video-queries.ts';

/** The two frames of a page while they are on show. */
export interface WatchedFrames {
  /** Where playback is. */
  readonly clock: Store<number>;
  seek(seconds: number): void;
  togglePlay(): void;
  /** Tells a frame that has just opened what it cannot know yet. */
  greet(): void;
  /** Tells the player, which has just opened, what was meant for it while nobody listened there. */
  greetPlayer(): void;
  /** Begins to mediate and to renew tokens; returns how to stop. */
  connect(): () => void;
}

interface WatchOptions {
  readonly videoId: string;
  /** The token in the frames' addresses. */
  readonly accessToken: string;
  /** The second that is on show before anything plays. */
  readonly opensAt: number;
  onRefused(): void;
}

/** Joins player and insights, and hands both every fresh token, since their addresses must not change. */
export function watchFrames(frames: Frames, { videoId, accessToken, opensAt, onRefused }: WatchOptions): WatchedFrames {
  const clock = createStore(opensAt);
  const token = videoToken(videoId);
  let told = accessToken;
  const saidToPlayer: EmbedMessage = {};

  const tell = () => {
    const fresh = token.current();
    if (fresh === undefined || fresh === told) return;
    told = fresh;
    tellFrames(frames, { accessToken: fresh });
  };
  const greet = (theme: 'light' | 'dark') => tellFrames(frames, { theme, currentTime: clock.read() });
  const renew = () => {
    const refused = told;
    const answer = () => {
      tell();
      // Tokens of one second are alike, and a frame that asked waits for one.
      if (told === refused) tellFrames(frames, { accessToken: told });
    };
    token.replace(refused).then(answer, (reason: unknown) => {
      if (isRefusal(reason)) onRefused();
      else console.error('The video token was not renewed.', reason);
    });
  };
  const onSaidToPlayer = ({ time, found, shots, speech }: EmbedMessage) => {
    if (time !== undefined) saidToPlayer.time = time;
    if (found) saidToPlayer.found = found;
    if (shots) saidToPlayer.shots = shots;
    if (speech) saidToPlayer.speech = speech;
  };
  const hear = (command: Command) => {
    if (command === 'to-search' || command === 'to-start' || command === 'to-end') return false;
    obey(frames, command);
    return true;
  };
  return {
    clock,
    seek: (time) => tellPlayer(frames, { time }),
    togglePlay: () => commandPlayer(frames, 'toggle-play'),
    greet: () => greet(shownTheme()),
    greetPlayer: () => tellPlayer(frames, saidToPlayer),
    connect: () => {
      const stopMediating = mediate(window, frames, {
        onTime: clock.set,
        onExpired: renew,
        onCommand: (command) => obey(frames, command),
        onTab: keepChosenTab,
        onSaidToPlayer,
      });
      const stopHearing = hearCommands(hear);
      const stopListening = token.subscribe(tell);
      // The frames are documents of their own; those of another origin cannot read the stored choice.
      const stopFollowing = followShownTheme(greet);
      return () => {
        stopMediating();
        stopHearing();
        stopListening();
        stopFollowing();
      };
    },
  };
}

function obey(frames: Frames, command: Command): void {
  // The search box hears its key itself; of a key that was pressed in a frame it knows nothing.
  if (command === 'to-search') document.dispatchEvent(new KeyboardEvent('keydown', { key: '/' }));
  else commandPlayer(frames, command);
}
