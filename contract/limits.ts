/** Every number that browser and server agree on, with its unit in its name. */
export const limits = {
  searchPageSize: 12,
  pageSizeMax: 100,
  skipMax: 999_999_999,
  searchDebounceMs: 220,
  accessTokenCacheMs: 3_540_000,
  accessTokenLifetimeSeconds: 3_600,
  userBearerLifetimeSeconds: 600,
  insightsHeightPx: 1_200,
  queryMaxCodePoints: 1_000,
  matchesPerVideoMax: 100,
  matchesPerCard: 4,
  stillsPerCard: 12,
  frameIntervalSeconds: 2,
  activationPromiseHours: 24,
  displayNameMaxCodePoints: 80,
  videoNameMaxCodePoints: 255,
} as const;
