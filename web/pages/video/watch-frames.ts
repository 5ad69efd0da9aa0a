import { videoTokenOf } from '#web/api/tokens.ts';
import type { EmbedMessage } from '#web/embed/embed-messages.ts';
import { type Command, hearCommands, isForPage, isScrolling } from '#web/embed/player/shortcuts.ts';
import { filmsAreHere, pageSettings } from '#web/page-settings.ts';
import { followShownTheme, readShownTheme } from '#web/theme/theme.ts';
import { createStore, type Store } from '#web/ui/store.ts';
import { commandPlayer, type Frames, mediate, tellFrames, tellPlayer } from './frames.ts';
import { keepChosenTab, keepVisit, type Visit } from './left-visit.ts';
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
  /** The address of insights that open anew, with the tab and the search that those before were left with. */
  insightsAsLeft(address: string): string;
  /** Tells the player, which has just opened, what was meant for it while nobody listened there. */
  greetPlayer(): void;
  /** Tells the player what the film is called by now. */
  rename(title: string): void;
  /** The stretch that somebody asks for, marked by keys or by hand. */
  readonly range: MarkedRange;
  /** What they ask for it for, in their words. */
  readonly use: Store<string> & { set(use: string): void };
  /** Begins to mediate and to renew tokens; returns how to stop. */
  connect(): () => void;
}

interface WatchOptions {
  readonly videoId: string;
  /** What the player is told of the film. */
  readonly about: Pick<EmbedMessage, 'title' | 'spokenIn'>;
  /** The token in the frames' addresses. */
  readonly accessToken: string;
  /** The second that is on show before anything plays. */
  readonly opensAt: number;
  readonly durationInSeconds: number;
  /** What is marked and said of it at first. */
  readonly asked: Pick<Visit, 'range' | 'use'>;
  /** The second at which a film that plays from before it pauses once; null where it plays on. */
  readonly pausesAt: number | null;
  onRefused(): void;
}

/** Joins player and insights, and hands both every fresh token, since their addresses must not change. */
export function watchFrames(frames: Frames, options: WatchOptions): WatchedFrames {
  const { videoId, accessToken, opensAt, durationInSeconds, asked, onRefused } = options;
  let { about } = options;
  const clock = createStore(opensAt);
  const range = markRange(durationInSeconds, asked.range);
  const use = createStore(asked.use);
  const token = tellTokens(frames, { videoId, accessToken, onRefused });
  const forPlayer = keepForPlayer();
  const insights = keepInsights();

  const greet = (theme: 'light' | 'dark') => tellFrames(frames, { theme, currentTime: clock.read() });
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
  const stretch = () => {
    const [from, until] = range.ends();
    return range.isMarked() && until !== null ? [from, until] : [];
  };
  const visit = () => ({
    seconds: clock.read() < durationInSeconds - 1 ? clock.read() : null,
    range: range.read(),
    use: use.read(),
  });
  return {
    clock,
    range,
    use,
    seek: (time) => tellPlayer(frames, { time }),
    togglePlay: () => commandPlayer(frames, 'toggle-play'),
    greet: () => greet(readShownTheme()),
    insightsAsLeft: insights.addressAsLeft,
    greetPlayer: () => tellPlayer(frames, { ...forPlayer.said, ...about, range: stretch() }),
    rename: (title) => {
      if (title === about.title) return;
      about = { ...about, title };
      tellPlayer(frames, { title });
    },
    connect: () => {
      const hooks = { ...insights.hooks, onTime: clock.set, onExpired: token.renew, onCommand: obey, onSaidToPlayer: forPlayer.hear };
      // The frames are documents of their own; those of another origin cannot read the stored choice of a theme.
      return stopAll([
        mediate(window, frames, hooks),
        hearCommands(hear),
        token.follow(),
        followShownTheme(greet),
        clock.subscribe(() => forPlayer.isAt(clock.read())),
        range.subscribe(() => tellPlayer(frames, { range: stretch() })),
        // The film says four times a second where it is: the picture that stays is that of the end, and not of a moment behind it.
        pauseOnce(clock, options.pausesAt, (time) => tellPlayer(frames, { pause: true, time })),
        keepVisit(visit),
      ]);
    },
  };
}

const besideSeconds = 1;

/** Keeps what the insights say to the player, for one that opens later; where it was sent only until it is there, so that it is not sent back. */
function keepForPlayer() {
  const said: EmbedMessage = {};
  return {
    said,
    hear: (message: EmbedMessage) => void Object.assign(said, lastingPartOf(message)),
    isAt: (seconds: number) => {
      if (said.time !== undefined && Math.abs(seconds - said.time) < besideSeconds) delete said.time;
    },
  };
}

/** Keeps how the insights were left, which go while somebody edits the transcript in their place. */
function keepInsights() {
  const left = new Map<'tab' | 'search', string>();
  return {
    hooks: {
      onTab: (tab: 'insights' | 'timeline') => {
        left.set('tab', tab);
        keepChosenTab(tab);
      },
      onSearch: (search: string) => void left.set('search', search),
    },
    addressAsLeft: (address: string) => {
      const url = new URL(address, window.location.href);
      for (const [name, value] of left) url.searchParams.set(name, value);
      return url.href;
    },
  };
}

/** Hands both frames every token after the one in their addresses, and a new one when theirs is no longer taken. */
function tellTokens(frames: Frames, { videoId, accessToken, onRefused }: Pick<WatchOptions, 'videoId' | 'accessToken' | 'onRefused'>) {
  // It opens the film here: frames of another service have a token of that one, and are not to learn ours.
  if (!filmsAreHere) return { renew: () => {}, follow: () => () => {} };
  const token = videoTokenOf(videoId);
  let told = accessToken;
  const tell = () => {
    const fresh = token.current();
    if (fresh === undefined || fresh === told) return;
    told = fresh;
    tellFrames(frames, { accessToken: fresh });
  };
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
  return { renew, follow: () => token.subscribe(tell) };
}

const playedAtOnceSeconds = 2;

/** Pauses once, where a film has played up to that second; whoever jumps over it is somewhere else. */
function pauseOnce(clock: Store<number>, at: number | null, pause: (at: number) => void): () => void {
  let before = clock.read();
  let isOver = at === null || before >= at;
  return clock.subscribe(() => {
    const now = clock.read();
    if (at !== null && now >= at && !isOver) {
      isOver = true;
      if (now - before < playedAtOnceSeconds) pause(at);
    }
    before = now;
  });
}

function stopAll(stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
  };
}

/** Of what the insights say to the player, what one needs to hear that opens later. */
function lastingPartOf({ time, found, shots, speech }: EmbedMessage): EmbedMessage {
  return Object.fromEntries(Object.entries({ time, found, shots, speech }).filter(([, value]) => value !== undefined));
}
