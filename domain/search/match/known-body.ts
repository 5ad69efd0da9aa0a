import type { FoldedBody } from './folded-body.ts';

/** A packed row as it was folded for a revision of its video. */
export interface KnownBody {
  readonly revision: number;
  readonly body: FoldedBody;
  readonly hasWordStarts: boolean;
}

/** About what it takes in memory: its texts, twice as much beyond Latin scripts, and where its lines begin. */
export function bodyBytes({ body }: KnownBody): number {
  return body.characters + 16 * body.lineCount;
}
