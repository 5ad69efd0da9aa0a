import type { MeasuredArchive } from '#testing/measured-archive.ts';

/** The plain words of an archive, by the share of its videos that hold them. */
export interface WordsByShare {
  readonly known: ReadonlySet<string>;
  readonly common: readonly string[];
  readonly medium: readonly string[];
  readonly rare: readonly string[];
  /** Those that say nothing, most frequent first. */
  readonly stops: readonly string[];
}

/** Sorts the words of an archive by how many videos hold them. */
export async function wordsByShare(archive: MeasuredArchive): Promise<WordsByShare> {
  const shares = (await archive.wordShares()).filter(({ word }) => /^[a-z]{3,}$/.test(word)).sort((a, b) => (a.word < b.word ? -1 : 1));
  const between = (low: number, high: number) =>
    shares.filter(({ word, share }) => share >= low && share < high && !archive.isStopWord(word)).map(({ word }) => word);
  const stops = shares.filter(({ word }) => archive.isStopWord(word)).sort((a, b) => b.share - a.share);
  return {
    known: new Set(shares.map(({ word }) => word)),
    common: between(0.3, 0.75),
    medium: between(0.01, 0.05),
    rare: between(0, 0.003),
    stops: stops.map(({ word }) => word),
  };
}
