import { z } from 'zod';
import { layersOf } from '#domain/moments/layers.ts';
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
  run: async ({ store, video }) => {
    const came = await readKeptSidecars(store, video.keys.sidecars);
    return { is: 'done', result: {}, layers: layersOf(knownOfFilm(video, came)), remark: came.remarks.join('; ') || null };
  },
};
