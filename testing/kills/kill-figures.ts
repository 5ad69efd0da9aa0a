/** What a scene of kills came to: rounds, and what was wrong after them. */
export interface KillFigures {
  readonly rounds: number;
  /** What was acknowledged and is not there. */
  readonly lost: number;
  /** What is there more than once. */
  readonly twice: number;
  /** What contradicts something else, or was left behind. */
  readonly disagreements: number;
}

/** What is wrong after a round, in words. */
export interface Verdict {
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  readonly disagreements: readonly string[];
}

/** Adds up the verdicts of `rounds` rounds, each with a line about it. */
export async function countRounds(
  rounds: number,
  print: (line: string) => void,
  round: (n: number) => Promise<{ about: string; verdict: Verdict }>,
): Promise<KillFigures> {
  const sums = { lost: 0, twice: 0, disagreements: 0 };
  for (let n = 1; n <= rounds; n++) {
    const { about, verdict } = await round(n);
    for (const name of ['lost', 'twice', 'disagreements'] as const) sums[name] += verdict[name].length;
    print(`round ${n}, ${about}: ${[...verdict.lost, ...verdict.twice, ...verdict.disagreements].join('; ') || 'agrees'}`);
  }
  return { rounds, ...sums };
}
