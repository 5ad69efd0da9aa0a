import { z } from 'zod';
import { TextPlace } from '#domain/moments/layers.ts';
import type { MediaInput } from '../tools/media-tools.ts';
import type { ChildCall } from '../tools/run-child.ts';
import type { Engine } from './engine.ts';

/** A text as it was read in the pictures of a stretch of film, in which it stood at one place. */
export const TextSeen = z.object({
  /** What was read, each with the number of pictures that agree on it and how sure the surest was, 0 to 1. */
  readings: z.array(z.object({ text: z.string(), pictures: z.number().int(), confidence: z.number() })),
  place: TextPlace,
  /** How tall its line is, as large as the pictures were looked at. */
  heightPx: z.number(),
  /** The first and the last picture that show it. */
  fromSeconds: z.number(),
  toSeconds: z.number(),
});
export type TextSeen = z.infer<typeof TextSeen>;

/** What was read in a stretch of film, and what that took. */
export const StretchRead = z.object({
  texts: z.array(TextSeen),
  picturesRead: z.number().int(),
  linesRead: z.number().int(),
  peakMegabytes: z.number(),
});
export type StretchRead = z.infer<typeof StretchRead>;

/** Pictures of a stretch of film as `drawPictures` writes them. */
interface Stretch {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly fromSeconds: number;
  readonly everySeconds: number;
  /** The seconds whose pictures are read whatever they show; between them only what was added to a picture that stands still. */
  readonly readAtSeconds: readonly number[];
}

/** An engine that reads text in pictures. */
export interface TextReader extends Engine {
  /** Reads a stretch; `input` is the file of its pictures. Throws a StepFailure where it cannot run here, or was ended. */
  readonly read: (runEngine: RunEngine, input: MediaInput, stretch: Stretch) => Promise<StretchRead>;
}

type RunEngine = <T>(input: MediaInput, call: ChildCall<T>) => Promise<T>;
