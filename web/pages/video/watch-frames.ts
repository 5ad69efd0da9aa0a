import { videoToken } from '#web/api/tokens.ts';
import type { EmbedMessage } from '#web/embed/embed-messages.ts';
import { type Command, hearCommands, isForPage, isScrolling } from '#web/embed/player/shortcuts.ts';
import { filmsAreHere, pageSettings } from '#web/page-settings.ts';
import { followShownTheme, shownTheme } from '#web/theme/theme.ts';
import { createStore, type Store } from '#web/ui/store.ts';
import { keepChosenTab } from './chosen-tab.ts';
import { commandPlayer, type Frames, mediate, tellFrames, tellPlayer } from './frames.ts';
import { type MarkedRange, markRange } from './licence-range.ts';
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
  /** The stretch that somebody asks for, marked by keys or by hand. */
  readonly range: MarkedRange;
  /** Begins to mediate and to renew tokens; returns how to stop. */
  connect(): () => void;
}

interface WatchOptions {
  readonly videoId: string;
  /** The token in the frames' addresses. */
  readonly accessToken: string;
  /** The second that is on show before anything plays. */
  readonly opensAt: number;
  readonly durationInSeconds: number;
  onRefused(): void;
}

/** Joins player and insights, and hands both every fresh token, since their addresses must not change. */
export function watchFrames(frames: Frames, { videoId, accessToken, opensAt, durationInSeconds, onRefused }: WatchOptions): WatchedFrames {
  const clock = createStore(opensAt);
  const range = markRange(durationInSeconds);
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
  const obey = (command: Command) => {
    if (!isForPage(command)) commandPlayer(frames, command);
    // The search box hears its key itself; of a key that was pressed in a frame it knows nothing.
    else if (command === 'to-search') document.dispatchEvent(new KeyboardEvent('keydown', { key: '/' }));
    // Without a contact nobody is asked.
    else if (pageSettings.archive.contact.email) range.mark(command === 'mark-in' ? 'in' : 'out', clock.read());
  };
  const hear = (command: Command) => {
    if (command === 'to-search' || isScrolling(command)) return false;
    obey(command);
    return true;
  };
  const tellRange = () => {
    const [from, until] = range.ends();
    saidToPlayer.range = range.isMarked() && until !== null ? [from, until] : [];
    tellPlayer(frames, { range: saidToPlayer.range });
  };
  return {
    clock,
    range,
    seek: (time) => tellPlayer(frames, { time }),
    togglePlay: () => commandPlayer(frames, 'toggle-play'),
    greet: () => greet(shownTheme()),
    greetPlayer: () => tellPlayer(frames, saidToPlayer),
    connect: () => {
      const onSaidToPlayer = (message: EmbedMessage) => Object.assign(saidToPlayer, forOneThatOpens(message));
      const hooks = { onTime: clock.set, onExpired: renew, onCommand: obey, onTab: keepChosenTab, onSaidToPlayer };
      // The frames are documents of their own; those of another origin cannot read the stored choice of a theme.
      return stopAll([
        mediate(window, frames, filmsAreHere ? hooks : { ...hooks, onExpired: () => {} }),
        hearCommands(hear),
        // It opens the film here: frames of another service have a token of that one, and are not to learn ours.
        filmsAreHere ? token.subscribe(tell) : () => {},
        followShownTheme(greet),
        range.subscribe(tellRange),
      ]);
    },
  };
}

function stopAll(stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
  };
}

/** Of what the insights say to the player, what one needs to hear that opens later. */
function forOneThatOpens({ time, found, shots, speech }: EmbedMessage): EmbedMessage {
  return Object.fromEntries(Object.entries({ time, found, shots, speech }).filter(([, value]) => value !== undefined));
}
