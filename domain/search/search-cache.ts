import { LRUCache } from 'lru-cache';

/** Values of one kind by their keys, as long as there is room for them. */
export interface Cache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/**
 * What a search keeps for the next one. All kinds of values share one budget: whatever was used longest ago goes first, and a value that
 * is larger than all of it is not kept.
 */
export class SearchCache {
  /** Only the order and the sizes; the values stand with their kind. */
  readonly #order: LRUCache<string, () => void>;

  constructor(budgetBytes: number) {
    this.#order = new LRUCache({
      maxSize: Math.max(1, Math.floor(budgetBytes)),
      dispose: (forget, _key, reason) => {
        // What is replaced has its successor under the same key by now.
        if (reason !== 'set') forget();
      },
    });
  }

  /** The values of one kind, by a name that no other kind has. `bytesOf` says about how much memory one of them takes. */
  of<Value>(kind: string, bytesOf: (value: Value) => number): Cache<Value> {
    const values = new Map<string, Value>();
    const keyOf = (key: string) => `${kind} ${key}`;
    return {
      get: (key) => {
        this.#order.get(keyOf(key));
        return values.get(key);
      },
      set: (key, value) => {
        values.set(key, value);
        const size = Math.ceil(bytesOf(value)) + 2 * key.length + 1;
        this.#order.set(keyOf(key), () => values.delete(key), { size });
        if (!this.#order.has(keyOf(key))) values.delete(key);
      },
      delete: (key) => this.#order.delete(keyOf(key)),
    };
  }

  forget(): void {
    this.#order.clear();
  }
}
