import { z } from 'zod';
import { Place } from '#domain/moments/faces.ts';
import { RawPictures } from './raw-pictures.ts';

export const FacesJob = z.object({
  pictures: RawPictures,
  models: z.object({ blazeface: z.string(), facemesh: z.string(), faceres: z.string() }),
});
export type FacesJob = z.infer<typeof FacesJob>;

export const SeenFace = z.object({
  place: Place,
  /** 0 to 1. */
  score: z.number(),
  /** What tells this face from others, in base64; null where it stands as in the picture before. */
  embedding: z.string().nullable(),
});
export type SeenFace = z.infer<typeof SeenFace>;
