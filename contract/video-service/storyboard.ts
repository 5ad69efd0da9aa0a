import { z } from 'zod';

/** `/media/{id}/storyboard.json`: how the one picture `storyboard.jpg` is cut into tiles, left to right, then down. */
export const Storyboard = z.object({
  tileWidth: z.number().int().positive(),
  tileHeight: z.number().int().positive(),
  columns: z.number().int().positive(),
  rows: z.number().int().positive(),
  /** Tiles in use; the last row may be short. */
  count: z.number().int().positive(),
  /** Tile n shows second n × interval. */
  intervalSeconds: z.number().positive(),
});
export type Storyboard = z.infer<typeof Storyboard>;
