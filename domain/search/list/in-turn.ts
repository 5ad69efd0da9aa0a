import { SearchTimeout } from '../../turns/search-timeout.ts';
import { statementMaxMs } from '../search-statement.ts';

/**
 * Gives a function that begins a piece of work when all that it was given before is done: side by side, each would take as long as all.
 * Its answer throws `SearchTimeout` when the turn comes more than 2 s after it was asked for, as nobody waits for it any more.
 */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const askedAtMs = performance.now();
    const turn = last.then(() => {
      if (performance.now() - askedAtMs > statementMaxMs) throw new SearchTimeout();
      return work();
    });
    last = turn.catch(() => {});
    return turn;
  };
}
