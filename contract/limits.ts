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
  filmsPerPage: 50,
  /** A table of details, as a file; what it says is sent in pieces. */
  detailsFileMaxBytes: 20_000_000,
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
  outlinesMax: 1_000,
  /** A page that was asked for another access token brings it by then, or playing ends. */
  accessTokenComesWithinMs: 15_000,
} as const;

/** Those that pages know nothing of: no page is built with them. */
export const serverLimits = {
  // What is read of a request before anything is known of it; what fits is looked at closely, and refused in words.
  displayNameBodyMaxCharacters: 10_000,
  signInLinkMaxCharacters: { token: 200, email: 400 },
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
  archiveSettingsMaxCharacters: { name: 60, tagline: 200, logoSvg: 20_000, heroLine: 120, heroMarked: 60, heroExample: 60 },
  heroExamplesMax: 5,
  socialLinksMax: 8,

  // Connections, requests, and how long an answer is waited for on both sides.
  /** Of everybody together: each takes some tens of kilobytes, and a live page keeps one for as long as it is open. */
  connectionsMax: 4_000,
  idleConnectionMaxMs: 5_000,
  /** Node looks once a second who is over their time: headers end within ten seconds in all. */
  headersComeWithinMs: 9_000,
  requestComesWithinMs: 60_000,
  fileComesWithinMs: 24 * 60 * 60 * 1_000,
  /** Nothing that is said in JSON is longer; taking one megabyte of it apart would hold everybody else up for half a second. */
  bodyMaxBytes: 131_072,
  formFieldsMax: 20,
  formFieldMaxBytes: 10_000,
  livePagesMax: { perSession: 10, perUser: 40, perProcess: 2_000 },
  liveUnreadMaxBytes: 65_536,
  callerCookieLifetimeSeconds: 86_400,
  /** So long a connection that is in the way of an upload may take to leave what it has. */
  uploadGivenUpWithinMs: 500,
  /** A large file takes minutes to be read; no proxy waits so long. */
  finishedUploadToldWithinMs: 20_000,
  existingWorkAtOncePerUser: 1,
  fetchedFilmSilenceMaxMs: 60_000,
  callbackAnsweredWithinMs: 10_000,
  azureAnswersWithinMs: 20_000,

  // Who somebody is.
  /** What is written beyond it is no name: putting marks in order takes time that grows with the square of their number. */
  displayNameReadMaxCharacters: 2_000,
  emailReadMaxCharacters: 1_000,
  renamesPerDay: 10,
  signInLinksPerAddress: 3,
  signInLinkWindowMinutes: 15,
  signInLinkWrongAddressesMax: 5,
  signInLinkKeptDays: 1,
  /** Many proxies refuse an address of more than 8 kB, and nobody is to be kept out by where they were going. */
  returnUrlMaxCharacters: 7_000,
  practiceMailsKept: 50,
  providerAnswersWithinMs: 10_000,
  providerAnswerMaxBytes: 1_048_576,
  providerParameterMaxCharacters: 4_096,
  /** Some of it may be what a stranger wrote into an address. */
  providerLogMaxCharacters: 300,
  sessionsPerUser: 100,
  sessionCookieLifetimeSeconds: 14 * 86_400,
  userAgentMaxCharacters: 400,
  tokenMaxCharacters: 4_096,

  // Searches.
  /** As long as somebody waits at most; no statement of a search may take half of it. */
  searchMaxMs: 5_000,
  searchWaitsMaxMs: 5_000,
  searchStatementMaxMs: 2_000,
  /** The network has this much longer than the database. */
  searchStatementGraceMs: 1_000,
  /** Somebody waits for what is found by its meaning, at most five seconds for all of it; a process that has yet to begin is there for the next one. */
  meaningFoundWithinMs: 3_000,
  /** Whoever types does not wait for a long list to be read: the names come with one of the next letters. */
  namesLoadedWithinMs: 1_000,
  /** More things than this in one query are left out: nobody means them all. */
  queryConceptsMax: 30,
  nearestQueriesMax: 4,
  /** Whatever is asked; fewer for longer texts than people type. */
  rankedVideosMax: 1_000,
  rankedVideosMin: 200,
  rankedVideosTimesWordsMax: 8_000,
  /** Videos that a filter may name, the newest; an answer among so many is not said to be all. */
  filteredVideosMax: 5_000,
  /** Words found in videos after which it looks at no more: thirty frequent words would take ten times as long as one. */
  surveyedHitsMax: 100_000,
  /** Names of a group beyond these are left out, unless they are asked for. */
  facetNamesMax: 30,
  /** Nobody steps through more of them, and a browser draws them all. */
  matchesOfFilmMax: 10_000,
  /** One answer takes no more than a quarter of an hour's lines, so that a visitor's next search has something to show as well. */
  answersPerHourOfLines: 4,
  unfoundQueryMaxCodePoints: 200,
  /** In memory between two writes; further ones go uncounted. */
  unfoundCollectedMax: 1_000,
  /** Of more than these, those that failed least go, the oldest of them first, what was found before what was not. */
  unfoundKeptMax: 20_000,
  feedEntriesMax: 30,
  summaryMaxCodePoints: 200,
  pinPagesMax: 5,

  // What comes with a film, and what is told of it.
  namesPerFilmMax: 1_000,
  timesPerNameMax: 10_000,
  toldSecondsMax: 1_000_000,
  heardSecondsMax: 999 * 3_600,
  recordIdMaxCharacters: 500,
  importedRecordsMaxBytes: 100 * 1_024 * 1_024,
  linesPerFileMax: 200_000,
  cueMaxCharacters: 4_000,
  /** A longer cue is read without its stamps: a file of nothing but those costs no more than any other. */
  stampedCueMaxCharacters: 40_000,
  /** A cue in which more people speak than fit onto a screen is taken for one text. */
  voicesPerCueMax: 20,
  facesProposedMax: 3,
  peoplePerFilmMax: 200,
  keywordsPerFilm: 15,
  timesPerKeyword: 100,
  brandListChangesKept: 10,
  /** Of one change; all of it stands in the corrections and lists. */
  auditedMaxCharacters: 8_000,
  auditedUndoneMaxCharacters: 6_000,
  linesFoundPerCall: { films: 400, lines: 2_000 },
  recentViewsKeptHours: 6,

  // Footage, and the tools that read it.
  filmMaxHours: 24,
  pictureMaxPixels: 36_000_000,
  tracksPerFileMax: 64,
  videoTracksPerFileMax: 4,
  soundChannelsMax: 64,
  /** Of more shots than these the longer ones have no still of their own: two-second frames stand in them. */
  shotStillsPerFilm: 2_000,
  decoderMaxBytes: { memory: 2 * 1_024 ** 3, file: 64 * 1_024 ** 3, addresses: 4 * 1_024 ** 3 },
  /** All that a decoder may hold and write, whatever the footage; FFmpeg by itself may address no more. */
  toolOutputMaxBytes: 8 * 1_024 * 1_024,
  toolLastLinesMax: 40,
  /** A tool may take so long for any film, and then some lengths of it, which its step knows. */
  toolMinMs: 60_000,
  toolSilenceMaxMs: 10 * 60_000,
  readerSilenceMaxMs: 5 * 60_000,
  speechServiceAnswer: { withinMs: 10 * 60_000, maxBytes: 4 * 1_024 * 1_024, linesMax: 2_000, wordMaxCharacters: 200 },
  fetchedModelSilenceMaxMs: 60_000,
  encoderAnswersWithinMs: 10 * 60_000,
  ownEncoderMemoryMaxMb: 1_200,
  faultDetailsMaxCharacters: 8_000,
  triesPerJob: 3,
  jobMaxSeconds: 23 * 60 * 60,
  endedJobKeptHours: 24,

  // What an operator meets: of the database, the store, the machine and the processes.
  /** What is told to end: a worker before the server that started it does, and that before whoever watches over it loses patience. */
  endsWithinMs: { worker: 6_500, requests: 7_000, server: 9_500 },
  databaseConnectsWithinMs: 2_000,
  /** Where the database fell silent, servers and workers hear of the next one by then. */
  databaseAnswersWithinMs: 30_000,
  databaseEndingMaxMs: 10_000,
  databaseLateMaxMs: 30_000,
  storeAnswersWithinMs: 15_000,
  /** A store that takes longer is told as away: somebody waits for the page. */
  storeAnswersPageWithinMs: 5_000,
  storeAnswersDoctorWithinMs: 20_000,
  /** An answer of a disk or a clock that took longer tells nothing of its moment. */
  diskAnswersWithinMs: 2_000,
  portAnswersWithinMs: 2_000,
  outsideAnswersWithinMs: 10_000,
  mailServerAnswersWithinMs: 5_000,
  mailSentWithinMs: 10_000,
  alertAnsweredWithinMs: 10_000,
  accessCheckIndexedWithinMs: 8_000,
  readersFollowWithinMs: 10_000,
  indexCheckLooksMax: 5,
  filmsPerWarningMax: 3,
  originalFaultsToldMax: 100,
  logTextMaxCharacters: 4_000,
  lastWordsMaxCharacters: 2_000,
  unknownFilesKeptHours: 24,
  goneProcessKeptHours: 12,
  /** A folder of backups that was not checked for so long, and into which nobody backs up, is out of use. */
  backupFolderRememberedDays: 60,
} as const;
