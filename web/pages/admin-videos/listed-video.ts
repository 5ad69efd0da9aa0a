import { displayName } from '#contract/display-name.ts';
import type { SearchItem } from '#contract/video-service.ts';

/** A video as a row of the table, with what it is sorted and filtered by. */
export interface ListedVideo {
  readonly id: string;
  readonly name: string;
  /** Empty when it has none. */
  readonly externalId: string;
  /** When it came into the archive, ISO 8601. */
  readonly created: string;
  readonly createdMs: number;
  /** In words; empty while it is not known. */
  readonly encoding: string;
  /** Null when everything is done and the video can be watched. */
  readonly stateInWords: string | null;
  /** Why it could not be ingested; empty unless it failed. */
  readonly failure: string;
  readonly posterId: string | null;
  /** Names in the order that people expect: case and accents aside, `Tape 2` before `Tape 10`. */
  readonly nameKey: string;
  readonly externalIdKey: string;
  /** Everything that the filter looks at. */
  readonly filterText: string;
}

const encodings: Readonly<Record<string, string>> = {
  AdaptiveBitrate: 'Adaptive bitrate',
  SingleBitrate: 'Single bitrate',
  NoStreaming: 'No streaming',
};

export function toListedVideo(item: SearchItem): ListedVideo {
  const name = displayName(item.name);
  const externalId = item.externalId ?? '';
  const created = item.created ?? '';
  const preset = item.streamingPreset ?? '';
  const isProcessed = item.state === 'Processed';
  return {
    id: item.id,
    name,
    externalId,
    created,
    createdMs: Date.parse(created) || 0,
    encoding: encodings[preset] ?? preset,
    stateInWords: isProcessed ? null : item.state,
    failure: item.state === 'Failed' ? (item.failureMessage ?? '') : '',
    posterId: isProcessed ? item.thumbnailId : null,
    nameKey: orderKey(name),
    externalIdKey: orderKey(externalId),
    // Also the item code that the name is shown without.
    filterText: [item.name, item.id, externalId].map(fold).join('\n'),
  };
}

/** The text without case and accents, for the filter. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Comparing 50,000 names by the rules of a language takes a second; comparing keys made once takes some milliseconds. */
function orderKey(text: string): string {
  return fold(text).replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}
