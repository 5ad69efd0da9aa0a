/** What a scene of kills came to: rounds, and what was wrong after them. */
export interface KillFigures {
  readonly rounds: number;
  /** What was acknowledged and is not there. */
  readonly lost: number;
  /** What is there more than once. */
  readonly twice: number;
  /** What is shown in part: named somewhere, and missing where that leads. */
  readonly halfVisible: number;
  /** What was left behind, and belongs to nothing. */
  readonly orphans: number;
  /** What else contradicts something. */
  readonly disagreements: number;
}

/** What every scene is to come to. */
export const nothingWrong = { lost: 0, twice: 0, halfVisible: 0, orphans: 0, disagreements: 0 };

type Fault = keyof typeof nothingWrong;
const faults: readonly Fault[] = ['lost', 'twice', 'halfVisible', 'orphans', 'disagreements'];

/** What is wrong after a round, in words; what a scene does not look for is left out. */
export type Verdict = { readonly [F in Fault]?: readonly string[] };

/** Adds up the verdicts of `rounds` rounds, each with a line about it. */
export async function countRounds(
  rounds: number,
  print: (line: string) => void,
  round: (n: number) => Promise<{ about: string; verdict: Verdict }>,
): Promise<KillFigures> {
  const sums = { ...nothingWrong };
  for (let n = 1; n <= rounds; n++) {
    const { about, verdict } = await round(n);
    for (const name of faults) sums[name] += verdict[name]?.length ?? 0;
    print(`round ${n}, ${about}: ${faults.flatMap((name) => verdict[name] ?? []).join('; ') || 'agrees'}`);
  }
  return { rounds, ...sums };
}
