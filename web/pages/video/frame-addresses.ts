import type { PageSettings } from '#contract/archive.ts';
import { routes } from '#contract/routes.ts';
import { buildRequest, type CallInput } from '#web/api/build-request.ts';

interface Watched {
  readonly videoId: string;
  readonly accessToken: string;
  /** Second to begin at, null for the beginning. */
  readonly startInSeconds: number | null;
  /** The search the visitor comes from, for marks and ticks. */
  readonly query: string;
}

type Service = Pick<PageSettings, 'widgetBase' | 'accountId' | 'location'>;

/** Addresses of the two documents of the video service that a video page shows in frames. */
export function frameAddresses(service: Service, { videoId, accessToken, startInSeconds, query }: Watched) {
  const video = { account: service.accountId, id: videoId, accessToken, locale: 'en', location: service.location };
  const frame = (name: 'player' | 'insights', more: CallInput) =>
    service.widgetBase + buildRequest(routes[name], { ...video, ...more, search: query || undefined }).path;
  return { player: frame('player', { autoplay: true, t: startInSeconds ?? undefined }), insights: frame('insights', {}) };
}

/** The `t` of a page's address in seconds; null when it is none, so that a wrong one never reaches the player. */
export function readStart(t: string | null): number | null {
  return t !== null && /^\d{1,7}$/.test(t) ? Number(t) : null;
}
