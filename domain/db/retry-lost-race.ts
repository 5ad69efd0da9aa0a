import { errorCode } from '../system/error-code.ts';

/** Somebody else added the same row, removed the row that this one belongs to, or waited for us while we waited for them. */
const lostRaces: readonly string[] = ['23505', '23503', '40P01'];
const triesMax = 5;

/** Runs `work`, a whole transaction, again when the database refused it because another one was faster; gives up after five tries. */
export async function retryLostRace<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === triesMax || !lostRaces.includes(errorCode(error))) throw error;
    }
  }
}
