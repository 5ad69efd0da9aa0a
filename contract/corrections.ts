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

/** The faces that were found in a film, first who is seen longest. */
export const FaceList = z.object({
  faces: z.array(
    z.object({
      /** By what this face is named; another one once the film was looked at anew. */
      mark: z.string(),
      /** `Unknown 2` where nobody has named it. */
      name: z.string(),
      isNamed: z.boolean(),
      thumbnailId: z.string(),
      /** When it is first seen, in milliseconds. */
      startMs: z.number().int(),
      appearances: z.number().int(),
    }),
  ),
});
export type FaceEntry = z.infer<typeof FaceList>['faces'][number];

/** Whose face it is; `replaces` is what it was called when the editor saw it. */
export const NamePersonInput = z.strictObject({
  id: z.string(),
  mark: z.string(),
  replaces: z.string().max(4 * limits.personNameMaxCodePoints),
  name: z.string().max(4 * limits.personNameMaxCodePoints),
});

export const NameOfPerson = z.object({ name: z.string() });
