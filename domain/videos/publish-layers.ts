import { inTransaction, type Pool } from '../db/database.ts';
import { type Layer, type Maker, replaceLayers } from '../moments/layers.ts';
import { layOut } from './lay-out.ts';
import { lockVideo, recomposeVideo } from './recompose-video.ts';

/**
 * Puts what a step found in the place of all that it found of the video before, and makes the video say so, in one transaction. Layers of
 * others and corrections stay as they are. A video that is gone by now stays gone.
 */
export async function publishLayers(pool: Pool, videoId: string, made: Maker & { readonly layers: readonly Layer[] }): Promise<void> {
  await inTransaction(pool, async (db) => {
    if (!(await lockVideo(db, videoId))) return;
    // What it says without layers yet would be taken for this step's otherwise.
    await layOut(db, [videoId]);
    await replaceLayers(db, videoId, made);
    await recomposeVideo(db, videoId);
  });
}
