import type { SearchIndex } from '../search-index/search-index.ts';

/** Gives the values that are kept for an index: so many of each index at most, in the memory of this process. */
export function keptByIndex<T>(atMost: number): (index: SearchIndex) => KeptValues<T> {
  const known = new WeakMap<SearchIndex, KeptValues<T>>();
  return (index) => {
    const values = known.get(index) ?? new KeptValues<T>(atMost);
    known.set(index, values);
    return values;
  };
}

/** Values by their keys; those that were kept longest ago go first. */
class KeptValues<T> {
  readonly #atMost: number;
  readonly #values = new Map<string, T>();

  constructor(atMost: number) {
    this.#atMost = atMost;
  }

  find(key: string): T | undefined {
    return this.#values.get(key);
  }

  keep(key: string, value: T): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#atMost && oldest !== undefined) this.#values.delete(oldest);
  }

  forget(key: string): void {
    this.#values.delete(key);
  }
}
