import { toDisplayName } from '#contract/display-name.ts';
import type { SearchItem } from '#contract/video-service/answers.ts';

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
  /** Null unless it could not be ingested. */
  readonly failure: Failure | null;
  readonly posterId: string | null;
  /** Names in the order that people expect: case and accents aside, `Tape 2` before `Tape 10`. */
  readonly nameKey: string;
  readonly externalIdKey: string;
  /** Everything that the filter looks at. */
  readonly filterText: string;
}

interface Failure {
  /** A sentence or two; empty when nobody knows. */
  readonly reason: string;
  /** ISO 8601. */
  readonly at: string;
  /** What to do about it. */
  readonly advice: string;
  /** Whether another try of the same file may end otherwise. */
  readonly isWorthATry: boolean;
}

const encodings: Readonly<Record<string, string>> = {
  AdaptiveBitrate: 'Adaptive bitrate',
  SingleBitrate: 'Single bitrate',
  NoStreaming: 'No streaming',
};

export function toListedVideo(item: SearchItem): ListedVideo {
  const name = toDisplayName(item.name);
  const externalId = item.externalId ?? '';
  const created = item.created ?? '';
  const preset = item.streamingPreset ?? '';
  const isProcessed = item.state === 'Processed';
  const stateInWords = isProcessed ? null : item.state === 'Quarantined' ? 'Deleted' : item.state;
  return {
    id: item.id,
    name,
    externalId,
    created,
    createdMs: Date.parse(created) || 0,
    encoding: encodings[preset] ?? preset,
    stateInWords,
    failure: failureOf(item),
    posterId: isProcessed ? item.thumbnailId : null,
    nameKey: orderKey(name),
    externalIdKey: orderKey(externalId),
    // Also the item code that the name is shown without.
    filterText: [item.name, item.id, externalId, stateInWords ?? ''].map(fold).join('\n'),
  };
}

function failureOf({ state, failureCode = '', failureMessage = '', lastModified = '' }: SearchItem): Failure | null {
  if (state !== 'Failed') return null;
  const isWorthATry = ['processing_failed', 'processing_timeout', 'cancelled'].includes(failureCode);
  const isBeyondLimits = ['too_long', 'dimensions_too_large', 'too_many_streams'].includes(failureCode);
  const otherFile = isBeyondLimits ? 'Make a file within this limit' : 'Find or make another copy';
  const advice = isWorthATry ? 'Try it again. If it fails again, import another copy.' : `${otherFile} and import it.`;
  return { reason: failureMessage, at: lastModified, advice, isWorthATry };
}

/** The text without case and accents, for the filter. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Comparing 50,000 names by the rules of a language takes a second; comparing keys made once takes some milliseconds. */
function orderKey(text: string): string {
  return fold(text).replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}
