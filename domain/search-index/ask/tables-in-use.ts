import type { IndexState } from '../../files/index-state.ts';
import { closeTables, type OpenTables, openTables } from '../open-tables.ts';

/**
 * The tables that searches of one process ask. Those of a later state are opened out of the ones before, one after the other;
 * these stay open for the searches that use them, and are freed with the last of them.
 */
export class TablesInUse {
  readonly #folder: string;
  readonly #cacheBytes: number;
  #latest: { readonly state: IndexState; readonly tables: Promise<OpenTables> } | undefined;

  constructor(folder: string, { cacheBytes }: { cacheBytes: number }) {
    this.#folder = folder;
    this.#cacheBytes = cacheBytes;
  }

  /** The tables of `state`. Throws when they cannot be opened. */
  of(state: IndexState): Promise<OpenTables> {
    if (!this.#latest || !isSameState(this.#latest.state, state))
      this.#latest = { state, tables: this.#openAfter(this.#latest?.tables, state) };
    return this.#latest.tables;
  }

  /** Closes all of them; the next search opens what there is then. */
  async forget(): Promise<void> {
    const tables = await this.#latest?.tables.catch(() => undefined);
    this.#latest = undefined;
    if (tables) closeTables(tables);
  }

  async #openAfter(earlier: Promise<OpenTables> | undefined, state: IndexState): Promise<OpenTables> {
    const before = await earlier?.catch(() => undefined);
    try {
      const tables = await openTables(this.#folder, state, { before, cacheBytes: this.#cacheBytes });
      if (before && before.words !== tables.words) before.words.close();
      return tables;
    } catch (error) {
      before?.words.close();
      throw error;
    }
  }
}

export function isSameState(a: IndexState, b: IndexState): boolean {
  return a.generation === b.generation && a.batch === b.batch;
}
