import { z } from 'zod';
import { limits } from './limits.ts';

/** What somebody changed of what is known of a film. */
export const CorrectionEntry = z.object({
  id: z.number().int(),
  kind: z.enum(['Title', 'Person', 'Transcript', 'Ocr']),
  /** Where in the film, in milliseconds; null for what is true of it as a whole. */
  startMs: z.number().int().nullable(),
  /** What it said before. */
  replaces: z.string(),
  /** What it says instead; null where somebody confirmed it as it is. */
  says: z.string().nullable(),
  /** `unfitting`: what it was made for is no longer there, since a step read the film anew. */
  state: z.enum(['standing', 'unfitting', 'undone']),
  /** Names of people; empty for somebody who is gone. */
  by: z.string(),
  at: z.iso.datetime(),
  undoneBy: z.string().nullable(),
  undoneAt: z.iso.datetime().nullable(),
});
export type CorrectionEntry = z.infer<typeof CorrectionEntry>;

/** What the film is called now, and what people changed of it, newest first. */
export const CorrectionList = z.object({ name: z.string(), corrections: z.array(CorrectionEntry) });

/** A film's new title; `replaces` is the one that the editor saw. */
export const CorrectTitleInput = z.strictObject({
  id: z.string(),
  replaces: z.string().max(4 * limits.videoNameMaxCodePoints),
  title: z.string().max(4 * limits.videoNameMaxCodePoints),
});

export const UndoCorrectionInput = z.strictObject({ id: z.string(), correction: z.coerce.number().int().min(1) });

/** What the film is called after a change. */
export const NameOfVideo = z.object({ name: z.string() });
