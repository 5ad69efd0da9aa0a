import { z } from 'zod';

/** A word or two that tell what a film is about. */
export const Keyword = z.object({
  /** As it is written in the film most often. */
  text: z.string(),
  /** 0 to 1: how much it tells, beside the film's other keywords. */
  weight: z.number(),
  /** The lines that hold it. */
  times: z.array(z.object({ startMs: z.number().int(), endMs: z.number().int() })),
});
export type Keyword = z.infer<typeof Keyword>;
