import { z } from 'zod';
import {
  EncodePlan,
  GreyPlan,
  PicturesPlan,
  PosterPlan,
  RenditionPlan,
  SoundPlan,
  StillsPlan,
  SubtitlePlan,
} from '../media/media-plans.ts';

const path = z.string();

/** What the child that holds node-av is asked to do: one job in its life. */
export const NodeAvJob = z.discriminatedUnion('do', [
  z.object({ do: z.literal('look-at'), path }),
  z.object({ do: z.literal('draw-stills'), path, plan: StillsPlan }),
  z.object({ do: z.literal('draw-poster'), path, plan: PosterPlan }),
  z.object({ do: z.literal('draw-grey'), path, plan: GreyPlan }),
  z.object({ do: z.literal('draw-pictures'), path, plan: PicturesPlan }),
  z.object({ do: z.literal('draw-sound'), path, plan: SoundPlan }),
  z.object({ do: z.literal('copy-rendition'), path, plan: RenditionPlan }),
  z.object({ do: z.literal('encode-renditions'), path, plan: EncodePlan }),
  z.object({ do: z.literal('extract-subtitles'), path, plan: SubtitlePlan }),
]);
export type NodeAvJob = z.infer<typeof NodeAvJob>;
