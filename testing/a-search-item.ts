import type { SearchItem } from '#contract/video-service/answers.ts';

/** A result of a search as the video service tells it, of 42 minutes and without matches, but for what is given. */
export function aSearchItem(given: Partial<SearchItem> & { id: string }): SearchItem {
  return {
    accountId: '',
    partition: null,
    externalId: null,
    metadata: null,
    name: given.id,
    description: null,
    privacyMode: 'Private',
    userName: '',
    isOwned: false,
    isBase: true,
    hasSourceVideoFile: true,
    state: 'Processed',
    moderationState: 'OK',
    reviewState: 'None',
    isSearchable: true,
    processingProgress: null,
    durationInSeconds: 2_520,
    thumbnailVideoId: given.id,
    thumbnailId: 'poster',
    searchMatches: [],
    indexingPreset: null,
    streamingPreset: null,
    sourceLanguage: null,
    sourceLanguages: null,
    personModelId: '',
    ...given,
  };
}
