const many = '9999999';

/** Settings with which nobody asks too often: for tests that ask more in a second than people in an hour. */
export const withoutLimits: Readonly<Record<string, string>> = {
  RUSHES_SEARCHES_PER_MINUTE: many,
  RUSHES_SEARCH_BURST: many,
  RUSHES_THUMBNAILS_PER_MINUTE: many,
  RUSHES_THUMBNAIL_BURST: many,
  RUSHES_TOKENS_PER_MINUTE: many,
  RUSHES_TOKEN_BURST: many,
  RUSHES_LINES_PER_VIDEO_HOUR: many,
};
