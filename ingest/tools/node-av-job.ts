import { z } from 'zod';
import { MediaDescription } from '../media/media-description.ts';
import { EncodePlan, GreyPlan, PosterPlan, RenditionPlan, StillsPlan, SubtitlePlan } from '../media/media-plans.ts';
import { refusalCodes } from '../step-failure.ts';

const path = z.string();

/** What the child that holds node-av is asked to do: one job in its life. */
export const NodeAvJob = z.discriminatedUnion('do', [
  z.object({ do: z.literal('describe'), path }),
  z.object({ do: z.literal('scan-packets'), path, description: MediaDescription }),
  z.object({ do: z.literal('draw-stills'), path, plan: StillsPlan }),
  z.object({ do: z.literal('draw-poster'), path, plan: PosterPlan }),
  z.object({ do: z.literal('draw-grey'), path, plan: GreyPlan }),
  z.object({ do: z.literal('copy-rendition'), path, plan: RenditionPlan }),
  z.object({ do: z.literal('encode-renditions'), path, plan: EncodePlan }),
  z.object({ do: z.literal('extract-subtitles'), path, plan: SubtitlePlan }),
]);
export type NodeAvJob = z.infer<typeof NodeAvJob>;

/** The lines that it prints: how far it is, and at last what came out. */
export const NodeAvLine = z.union([
  z.object({ second: z.number() }),
  z.object({ result: z.unknown() }),
  z.object({ refused: z.enum(refusalCodes), message: z.string() }),
]);
export type NodeAvLine = z.infer<typeof NodeAvLine>;
