/** Work that goes on beside whoever gives it. */
export interface WriteBehind {
  /** Begins this work once there is room for it, and does not wait for it. Throws what an earlier one failed with, when all have ended. */
  begin(work: () => Promise<void>): Promise<void>;
  /** Waits for all of them. Throws what one of them failed with. */
  end(): Promise<void>;
}

/** Writes batches while the next is made, so many at a time; one alone keeps their order. */
export function writeBehind({ atOnce }: { atOnce: number }): WriteBehind {
  const going = new Set<Promise<void>>();
  let failed: Promise<void> | undefined;
  const begun = (work: () => Promise<void>) => {
    const one = work();
    going.add(one);
    one.then(
      () => going.delete(one),
      // Whoever gives the next work, or waits for the end, hears of it.
      () => {
        going.delete(one);
        failed ??= one;
      },
    );
  };
  const end = async () => {
    await Promise.allSettled(going);
    if (failed) await failed;
  };
  return {
    begin: async (work) => {
      while (going.size >= atOnce) await Promise.race(going).catch(() => {});
      if (failed) await end();
      begun(work);
    },
    end,
  };
}
