/** Gives the values that are kept for an owner, as an index is: so many of each owner at most, in memory and as long as the owner. */
export function keptBy<Owner extends object, T>(atMost: number): (owner: Owner) => KeptValues<T> {
  const known = new WeakMap<Owner, KeptValues<T>>();
  return (owner) => {
    const values = known.get(owner) ?? new KeptValues<T>(atMost);
    known.set(owner, values);
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
