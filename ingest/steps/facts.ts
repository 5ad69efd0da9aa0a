import { type Layer, layersOf } from '#domain/moments/layers.ts';
import type { StepContext } from '../ingest-context.ts';
import { knownOfFilm } from '../known-of-film.ts';
import { readKeptSidecars } from '../sidecars.ts';

/** What came with the film says what it is called, and who and what is in it. */
export async function readFacts({ store, video }: StepContext): Promise<Layer[]> {
  return layersOf(knownOfFilm(video, await readKeptSidecars(store, video.keys.sidecars)));
}
