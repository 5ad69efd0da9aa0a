import { z } from 'zod';

/** A film in which something is said that means nearly what was asked. */
export const MeantFilm = z.object({
  videoId: z.string(),
  /** How near: about 1 for the same, 0 for what has nothing to do with it. */
  score: z.number(),
  /** Its nearest passages by their numbers, best first. */
  passages: z.array(z.number().int()),
});
export type MeantFilm = z.infer<typeof MeantFilm>;

/** Such films by their ids. */
export type MeantFilms = ReadonlyMap<string, MeantFilm>;

/** Lines of a film that mean nearly what was asked. */
export const MeantPlace = z.object({
  videoId: z.string(),
  startMs: z.number(),
  /** As they stand there. */
  text: z.string(),
  /** Their numbers in the packed row, and among all that is said, from 1. */
  lines: z.array(z.number().int()),
  ofKind: z.array(z.number().int()),
  score: z.number(),
});
export type MeantPlace = z.infer<typeof MeantPlace>;
