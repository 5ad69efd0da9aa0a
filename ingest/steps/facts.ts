import { z } from 'zod';
import type { Pool } from '#domain/db/database.ts';
import { findLayers, layersOf } from '#domain/moments/layers.ts';
import { readKeptSidecars } from '../footage/sidecars.ts';
import { knownOfFilm } from '../known-of-film.ts';
import type { Step } from '../step.ts';

const FactsResult = z.object({});

/** What came with the film says what it is called, and who and what is in it. */
export const facts: Step<z.infer<typeof FactsResult>> = {
  name: 'facts',
  version: 1,
  needs: [],
  optional: false,
  class: 'playable',
  share: 1,
  Result: FactsResult,
  run: async ({ pool, store, video }) => {
    const came = await readKeptSidecars(store, video.keys.sidecars);
    const { facts: told, ...known } = knownOfFilm(video, came);
    // Another file in its place, by whatever name, makes no other film of it.
    const name = (came.facts.title ? undefined : await nameBefore(pool, video.id)) ?? told.name;
    return { is: 'done', result: {}, layers: layersOf({ ...known, facts: { ...told, name } }), remark: came.remarks.join('; ') || null };
  },
};

/** What a film was called when this was last done; undefined for one that has just come. */
async function nameBefore(pool: Pool, videoId: string): Promise<string | undefined> {
  const layers = await findLayers(pool, videoId);
  return layers.flatMap((layer) => (layer.name === 'catalogue' ? [layer.facts.name] : []))[0];
}
