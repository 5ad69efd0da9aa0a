import { z } from 'zod';

/** A video, by its id. */
export const VideoById = z.object({ id: z.string() });
