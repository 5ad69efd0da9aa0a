import type { PageSettings } from '#contract/archive.ts';
import { routes } from '#contract/routes.ts';
import { buildRequest, type CallInput } from '#web/api/build-request.ts';
import { readSeconds } from '#web/components/text/time-code.ts';
import type { EmbedAddress } from '#web/embed/embed-address.ts';
import { type EmbedMessage, readEmbedMessage } from '#web/embed/embed-messages.ts';
import type { Command } from '#web/embed/player/shortcuts.ts';

/** The two documents of the video service on a page, and the one origin that they may speak from. */
export interface Frames {
  readonly origin: string;
  player(): Window | null;
  insights(): Window | null;
  /** Gives the focus to the player, and scrolls there. */
  focusPlayer(): void;
}

interface Hooks {
  onTime(seconds: number): void;
  /** A frame's token is no longer taken. */
  onExpired(): void;
  /** What the insights have had said to the player. */
  onSaidToPlayer(message: EmbedMessage): void;
  /** Somebody chose this tab of the insights. */
  onTab(tab: NonNullable<EmbedAddress['tab']>): void;
  /** This stands in the search of the insights. */
  onSearch(search: string): void;
  /** A key in a frame asks for this. */
  onCommand(command: Command): void;
}

/** Carries words between the two frames: only those of the list, only from these windows, only to that origin. Returns how to stop. */
export function mediate(page: Pick<Window, 'addEventListener' | 'removeEventListener'>, frames: Frames, hooks: Hooks): () => void {
  const onMessage = (event: MessageEvent) => {
    const player = frames.player();
    const insights = frames.insights();
    const fromPlayer = readEmbedMessage(event, { origin: frames.origin, source: player });
    const fromInsights = readEmbedMessage(event, { origin: frames.origin, source: insights });
    if (fromPlayer) send(insights, forwardedPartOf(fromPlayer), frames.origin);
    if (fromInsights) {
      const message = forwardedPartOf(fromInsights);
      send(player, message, frames.origin);
      hooks.onSaidToPlayer(message);
    }
    if (fromPlayer?.currentTime !== undefined) hooks.onTime(fromPlayer.currentTime);
    if (fromPlayer?.expired || fromInsights?.expired) hooks.onExpired();
    if (fromInsights?.tab) hooks.onTab(fromInsights.tab);
    if (fromInsights?.search !== undefined) hooks.onSearch(fromInsights.search);
    const command = fromInsights?.command ?? fromPlayer?.command;
    if (command) hooks.onCommand(command);
  };
  page.addEventListener('message', onMessage);
  return () => page.removeEventListener('message', onMessage);
}

/** Says something of the page's own to both frames. */
export function tellFrames(frames: Frames, message: EmbedMessage): void {
  send(frames.player(), message, frames.origin);
  send(frames.insights(), message, frames.origin);
}

/** Says to the player alone. */
export function tellPlayer(frames: Frames, message: EmbedMessage): void {
  send(frames.player(), message, frames.origin);
}

/** Has the player do what a key asked for that was pressed elsewhere; what it shows for that takes the focus. */
export function commandPlayer(frames: Frames, command: Command): void {
  if (command === 'show-help') frames.focusPlayer();
  tellPlayer(frames, { command });
}

// The five words of the video service that the frames have for one another, and our `found`, `shots`, `speech` and `outlined`.
function forwardedPartOf({ time, currentTime, language, play, pause, found, shots, speech, outlined }: EmbedMessage): EmbedMessage {
  const forwarded = { time, currentTime, language, play, pause, found, shots, speech, outlined };
  const words = Object.entries(forwarded).filter(([, value]) => value !== undefined);
  return Object.fromEntries(words);
}

function send(frame: Window | null, message: EmbedMessage, origin: string): void {
  if (frame && Object.keys(message).length > 0) frame.postMessage({ ...message, origin }, origin);
}

interface Watched {
  readonly videoId: string;
  readonly accessToken: string;
  /** Second to begin at, null for the beginning. */
  readonly startInSeconds: number | null;
  /** The search the visitor comes from, for marks and ticks. */
  readonly query: string;
  readonly durationInSeconds: number;
  readonly lacks: EmbedAddress['lacks'];
  readonly tab: EmbedAddress['tab'];
}

type Service = Pick<PageSettings, 'widgetBase' | 'accountId' | 'location'>;

/** Addresses of the two documents of the video service that a video page shows in frames. */
export function frameAddresses(service: Service, { videoId, accessToken, startInSeconds, query, ...film }: Watched) {
  const video = { account: service.accountId, id: videoId, accessToken, locale: 'en', location: service.location };
  const frame = (name: 'player' | 'insights', more: CallInput) =>
    service.widgetBase + buildRequest(routes[name], { ...video, ...more, search: query || undefined }).path;
  // The player learns the length from the film, where there is one.
  const duration = film.lacks === 'media' ? film.durationInSeconds : undefined;
  return {
    player: frame('player', { autoplay: true, t: startInSeconds ?? undefined, lacks: film.lacks ?? undefined, duration }),
    insights: frame('insights', { tab: film.tab ?? undefined }),
  };
}

/** The `t` of a page's address in whole seconds, at most the film's length where that is known; null when it is none, so that a wrong one never reaches the player. */
export function readStart(t: string | null, durationInSeconds: number): number | null {
  const seconds = readSeconds(t ?? '');
  return seconds === null ? null : Math.min(seconds, Math.floor(durationInSeconds) || seconds);
}

/** The `end` of a page's address in whole seconds, begun ones counted, at most the film's length; null when it is none, or not behind the start. */
export function readEnd(end: string | null, startInSeconds: number | null, durationInSeconds: number): number | null {
  const seconds = readSeconds(end ?? '', Math.ceil);
  const last = seconds === null ? 0 : Math.min(seconds, Math.ceil(durationInSeconds) || seconds);
  return last > (startInSeconds ?? 0) ? last : null;
}
