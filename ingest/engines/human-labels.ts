import { z } from 'zod';
import { Place } from '#domain/moments/faces.ts';
import { RawPictures } from './raw-pictures.ts';

/** The model looks at squares of this many pixels a side; what a picture leaves of one is black. */
export const labelSide = 512;

export const LabelsJob = z.object({ pictures: RawPictures, model: z.string() });

export const SeenThing = z.object({
  name: z.string(),
  place: Place,
  /** 0 to 1. */
  score: z.number(),
});
export type SeenThing = z.infer<typeof SeenThing>;
