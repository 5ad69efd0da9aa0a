const videoNameMaxCodePoints = 255;

/** Every number that browser and server agree on, with its unit in its name. */
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
} as const;
