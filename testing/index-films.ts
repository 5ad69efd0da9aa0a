import { catchUpIndex } from '#domain/search-index/keep-index.ts';
import type { Context } from '#server/context.ts';

/** Brings every published film into the search index now, as the worker would a moment later. */
export async function indexFilms({ pool, folder }: Pick<Context, 'pool' | 'folder'>): Promise<void> {
  await catchUpIndex(pool, folder.index);
}
