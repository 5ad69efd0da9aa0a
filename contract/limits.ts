const videoNameMaxCodePoints = 255;

/**
 * How far anything goes, and no further: what is refused, cut short or given up, and how long it is kept; the unit stands in each name.
 * Pages carry these, which they go by, alone or together with the server. What a caller never meets stands beside its work (ADR 0066).
 */
export const limits = {
  searchPageSize: 12,
  pageSizeMax: 100,
  skipMax: 999_999_999,
  searchDebounceMs: 220,
  suggestionsPerKind: 3,
  suggestionsPerKindMax: 8,
  accessTokenCacheMs: 3_540_000,
  accessTokenLifetimeSeconds: 3_600,
  /** Of what a content delivery network is told who may have segments by, and how often a player has it renewed. */
  cdnCookieLifetimeSeconds: 10,
  cdnCookieRenewedEveryMs: 4_000,
  userBearerLifetimeSeconds: 600,
  insightsHeightPx: 1_200,
  queryMaxCodePoints: 1_000,
  queryAlternativesMax: 8,
  matchesPerVideoMax: 100,
  matchesPerAnswerMax: 2_500,
  matchesPerCard: 4,
  matchesPerStep: 20,
  stillsPerCard: 12,
  frameIntervalSeconds: 2,
  activationPromiseHours: 24,
  activationDueSoonHours: 20,
  displayNameMaxCodePoints: 80,
  noteMaxCodePoints: 280,
  keyNameMaxCodePoints: 80,
  keysPerUser: 20,
  keyDaysMax: 366,
  userSearchMaxCodePoints: 200,
  signInLinkLifetimeMinutes: 15,
  videoNameMaxCodePoints,
  brandListMaxCharacters: 60_000,
  /** Of a person, label or brand that an editor writes; what comes with a film may be longer. */
  personNameMaxCodePoints: 100,
  givenNameMaxCodePoints: 200,
  ownerMaxCodePoints: 200,
  sidecarMaxBytes: 20_000_000,
  /** One request of an upload carries so much: over a slow connection it ends in time, and a proxy may allow no more. */
  uploadPieceBytes: 8 * 1_024 * 1_024,
  /** The same over a fast one: each request waits once for the disk and for the way there and back. */
  uploadPieceMaxBytes: 64 * 1_024 * 1_024,
  /** Of the beginning and the end of a file: by these and its size it is known again. */
  endPieceBytes: 1_024 * 1_024,
  uploadsAtOnce: 2,
  uploadsAtOncePerUser: 6,
  unfinishedUploadsPerUser: 200,
  /** By one server: each reads a disk as fast as it can, needs room there for the whole file, and holds a connection to the database. */
  uploadsFinishedAtOnce: 4,
  uploadKeptDays: 7,
  /** So long a deleted film can be brought back, at least. */
  deletedKeptDays: 30,
  /** A database of one's own may be restored to any moment of the last 35 days: so long stays what it may know again. */
  restorableDays: 36,
  deletionReasonMaxCodePoints: 280,
  lineMaxCodePoints: 4_000,
  speakerMaxCodePoints: 200,
  factMaxCodePoints: {
    title: videoNameMaxCodePoints,
    description: 5_000,
    externalId: 200,
    recordedAt: 40,
    place: 200,
    language: 20,
    rights: 1_000,
  },
  /** How often another server may lead on before it is given up. */
  redirectsMax: 5,
  /** Rows of a table of details that are looked at in one call. */
  detailsRowsMax: 200,
  /** So many rows with every fact at its longest. */
  detailsBodyMaxBytes: 3_000_000,
  /** A subtitle file that replaces what is said in a film: ten hours of speech are less than one. */
  transcriptFileMaxBytes: 2_000_000,
  /** The same as base64 in a JSON body. */
  transcriptBodyMaxBytes: 3_000_000,
  /** A file that tells of films, taken by a browser's call; larger ones are imported by command. */
  existingWorkMaxBytes: 10_000_000,
  /** The same as base64 in a JSON body, which makes a third more of it. */
  existingWorkBodyMaxBytes: 14_000_000,
  existingWorkRecordsMax: 500,
  /** What could not be read of a file, told line by line. */
  remarksMax: 500,
  appearancesAtOnceMax: 10_000,
  linesPerChangeMax: 50,
  /** So many changes as are made at once, each with a line before and after, of 250 letters in most scripts. */
  linesBodyMaxBytes: 3_000_000,
  changesAtOnceMax: 2_000,
  doubtfulBelowPercent: 70,
  /** Films that the desk shows at once with all that is done with them, and so many more each time it is asked for more. */
  filmsUnderWay: 30,
  filmsUnderWayMax: 300,
  /** Films on the desk, one page after the other. */
  filmsPerPage: 50,
  /** A table of details, as a file; what it says is sent in pieces. */
  detailsFileMaxBytes: 20_000_000,
  /** Files that were not taken, by their names. */
  filesLeftShownMax: 20,
  licenceUseMaxCharacters: 300,
  /** Longer than any film. */
  timeCodeMaxSeconds: 9_999_999,
  /** A connection that takes longer than this to bring an answer is none. */
  answerMaxMs: 30_000,
  /** Longer than this nobody watches a page wait. */
  searchAskedAgainWithinSeconds: 120,
  /** So often is asked again by itself what the archive has no time for: the search may be what takes it all. */
  filmSearchTriesMax: 3,
  /** Ranges that a page may have a player outline. */
  outlinesMax: 1_000,
  /** A page that was asked for another access token brings it by then, or playing ends. */
  accessTokenComesWithinMs: 15_000,
} as const;

/** Those that pages know nothing of: no page is built with them. */
export const serverLimits = {
  // What is read of a request before anything is known of it; what fits is looked at closely, and refused in words.
  displayNameBodyMaxCharacters: 10_000,
  signInLinkTokenMaxCharacters: 200,
  signInLinkEmailMaxCharacters: 400,
  sidecarsPerUploadMax: 100,
  stepNameMaxCharacters: 100,
  stepVersionMax: 1_000_000,
  engineNameMaxCharacters: 200,
  modelNameMaxCharacters: 100,
  brandListVersionMaxCharacters: 64,
  lineTimeMaxMs: 1_000_000_000,
  detailsMarkMaxCharacters: 2_000,
  deskTextMaxCharacters: 400,
  workFileNameMaxCharacters: 1_000,

  // What an operator may write into `archive.config.json`.
  archiveNameMaxCharacters: 60,
  taglineMaxCharacters: 200,
  logoSvgMaxCharacters: 20_000,
  heroLineMaxCharacters: 120,
  heroMarkedMaxCharacters: 60,
  heroExampleMaxCharacters: 60,
  heroExamplesMax: 5,
  socialLinksMax: 8,
} as const;
