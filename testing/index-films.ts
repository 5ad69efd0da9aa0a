import { toIndexCopy } from '#domain/files/index-copy.ts';
import { catchUpIndex } from '#domain/search-index/keep-index.ts';
import type { Context } from '#server/context.ts';

/** Brings every published film into the search index now, as the worker would a moment later. */
export async function indexFilms(context: Pick<Context, 'pool' | 'folder' | 'store'>): Promise<void> {
  await catchUpIndex(context.pool, toIndexCopy(context));
}
