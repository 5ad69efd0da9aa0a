/** Work that is done in the order in which it came, behind whoever brings it. */
export interface WorkQueue {
  /** Returns once few enough pieces wait. Throws what an earlier piece threw; nothing behind that one is done. */
  add(work: () => Promise<void>): Promise<void>;
  /** Returns once all is done. Throws what a piece threw. */
  end(): Promise<void>;
}

/** A queue that lets so many pieces wait. */
export function openWorkQueue(atMost: number): WorkQueue {
  const waiting: Promise<void>[] = [];
  let last = Promise.resolve();
  return {
    add: async (work) => {
      last = last.then(work);
      // Whoever asks next is told.
      last.catch(() => {});
      waiting.push(last);
      if (waiting.length > atMost) await waiting.shift();
    },
    end: () => last,
  };
}
