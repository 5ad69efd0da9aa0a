import type { Pool } from '../../db/database.ts';
import type { FoldedBody } from './folded-body.ts';

/** A packed row as it was folded for a revision of its video. */
export interface KnownBody {
  readonly revision: number;
  readonly body: FoldedBody;
  readonly hasWordStarts: boolean;
}

/** A thousand hours of speech, with what folding makes of them: 120 MB, twice that in scripts beyond Latin. */
const charactersMax = 120_000_000;
const known = new WeakMap<Pool, KnownBodies>();

/** The rows that were read last: whoever types on, turns a page or narrows an answer is shown much the same videos. */
export function knownBodies(pool: Pool): KnownBodies {
  const bodies = known.get(pool) ?? new KnownBodies(charactersMax);
  known.set(pool, bodies);
  return bodies;
}

/** Folded rows by the ids of their videos, up to a number of characters; those that were used longest ago go first. */
export class KnownBodies {
  readonly #max: number;
  readonly #bodies = new Map<string, KnownBody>();
  #characters = 0;

  constructor(max: number) {
    this.#max = max;
  }

  find(id: string): KnownBody | undefined {
    const found = this.#bodies.get(id);
    if (!found) return undefined;
    this.#bodies.delete(id);
    this.#bodies.set(id, found);
    return found;
  }

  keep(id: string, body: KnownBody): void {
    this.#forget(id);
    this.#bodies.set(id, body);
    this.#characters += body.body.characters;
    for (const [oldest] of this.#bodies) {
      if (this.#characters <= this.#max) return;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    this.#characters -= this.#bodies.get(id)?.body.characters ?? 0;
    this.#bodies.delete(id);
  }
}
