/** The store of an archive does not answer, or refuses this machine: nothing is known of what it holds, and later it may do better. */
export class StoreAway extends Error {
  readonly reason: string;
  constructor(reason: string, options: { cause?: unknown } = {}) {
    super(`The media store cannot be reached: ${reason}`, options);
    this.name = 'StoreAway';
    this.reason = reason;
  }
}

/** A file that somebody needs is not in the store. It may be put back, or on its way: no proof that the film is at fault. */
export class NotInStore extends Error {
  constructor(key: string) {
    super(`There is no ${key}.`);
    this.name = 'NotInStore';
  }
}

/** Whether work failed for a store, and not for what was worked on: the same again, later, may succeed. */
export function isForStore(error: unknown): boolean {
  return error instanceof StoreAway || error instanceof NotInStore;
}
