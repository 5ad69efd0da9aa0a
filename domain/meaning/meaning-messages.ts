import { z } from 'zod';
import { EncoderChoice } from './encoder/choose-encoder.ts';
import { MeantFilm } from './meant-film.ts';

/*
 * What is said between a process that needs meanings and its child, a line of JSON each: first the orders, then questions with a number, which
 * the child answers one after the other.
 */

export const MeaningOrders = z.object({
  /** Of the database in which films are looked for; null for a child that only encodes. */
  address: z
    .object({
      connectionString: z.string().optional(),
      host: z.string().optional(),
      port: z.number().optional(),
      user: z.string().optional(),
      password: z.string().optional(),
      database: z.string().optional(),
    })
    .nullable(),
  encoder: EncoderChoice,
  /** What the child may hold with an encoder of the operator's own. */
  memoryMaxMB: z.number().positive(),
});
export type MeaningOrders = z.infer<typeof MeaningOrders>;

export const MeaningQuestion = z.union([
  z.object({ id: z.number(), encode: z.array(z.string()) }),
  z.object({ id: z.number(), find: z.string(), limit: z.number().int(), among: z.array(z.string()) }),
  z.object({ id: z.number(), places: z.string(), films: z.array(MeantFilm.pick({ videoId: true, passages: true })) }),
]);

/** `result`: signs in base64, films, or places. `unusable`: why the encoder cannot be used, or no longer. */
export const MeaningAnswer = z.union([
  z.object({ unusable: z.string() }),
  z.object({ id: z.number(), error: z.string() }),
  z.object({ id: z.number(), result: z.unknown() }),
]);
