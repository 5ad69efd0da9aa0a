/*
 * Frames: player/ and insights/ are documents of their own, which the page of a video shows. They are told what to show in their address, here;
 * they speak to that page, and through it to each other, by embed-messages and parent-page, and ask the archive by themselves (film-search).
 */
import { readSeconds } from '#web/components/text/time-code.ts';
import { readTab } from './embed-messages.ts';

/** What a frame is told in its address. */
export interface EmbedAddress {
  readonly accountId: string;
  readonly videoId: string;
  readonly accessToken: string;
  readonly location: string;
  readonly startInSeconds: number;
  readonly autoplay: boolean;
  readonly search: string;
  /** What the film is known to lack, so that it is not asked for: captions, or with them all that plays. */
  readonly lacks: 'captions' | 'media' | null;
  /** 0 when the address does not tell it. */
  readonly durationInSeconds: number;
  /** Null when the address leaves the choice to the frame. */
  readonly tab: 'insights' | 'timeline' | null;
}

/**
 * Reads the frame's address and takes the access token out of it, so that it stays in memory only:
 * not in the history, not in a link somebody copies, not in a referrer.
 */
export function takeEmbedAddress(frame: Pick<Window, 'location' | 'history'>): EmbedAddress {
  const address = readEmbedAddress(frame.location.href);
  const withoutToken = new URL(frame.location.href);
  withoutToken.searchParams.delete('accessToken');
  frame.history.replaceState(null, '', withoutToken);
  return address;
}

/** Reads what the page says in a frame's address; a value that makes no sense takes its default. */
export function readEmbedAddress(href: string): EmbedAddress {
  const url = new URL(href);
  const [accountId = '', videoId = ''] = url.pathname.split('/').slice(3);
  const parameter = (name: string) => url.searchParams.get(name) ?? '';
  return {
    accountId: decodeURIComponent(accountId),
    videoId: decodeURIComponent(videoId),
    accessToken: parameter('accessToken'),
    location: parameter('location') || 'trial',
    startInSeconds: readSeconds(parameter('t')) ?? 0,
    autoplay: parameter('autoplay').toLowerCase() !== 'false',
    search: parameter('search'),
    lacks: readLacks(parameter('lacks')),
    durationInSeconds: readSeconds(parameter('duration')) ?? 0,
    tab: readTab(parameter('tab')),
  };
}

function readLacks(text: string): EmbedAddress['lacks'] {
  return text === 'captions' || text === 'media' ? text : null;
}
