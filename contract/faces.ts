import { z } from 'zod';
import { limits } from './limits.ts';

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
