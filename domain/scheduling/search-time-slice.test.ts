import { expect, test } from 'vitest';
import { runSearchFor, SearchTimeSlice } from './search-time-slice.ts';

/** Works for so many time slices; says how many others had meanwhile. */
async function workLong(): Promise<number> {
  const slice = new SearchTimeSlice();
  let others = 0;
  let isDone = false;
  const other = async () => {
    for (; !isDone; others++) await new Promise(setImmediate);
  };
  void other();
  for (let slices = 0; slices < 20; ) {
    if (!slice.isOver) continue;
    await slice.next();
    slices++;
  }
  isDone = true;
  return others;
}

test('a long search steps back while somebody else searches, and goes on at once when nobody does', async () => {
  const alone = await runSearchFor('one', workLong);
  const beside = await runSearchFor('other', () => runSearchFor('one', workLong));
  // Alone it lets others in once after each of its slices; beside a search it leaves them most of the time.
  expect(beside).toBeGreaterThan(3 * alone);
});

test('whoever searched long a moment ago steps back from the start of the next search, and soon no more', async () => {
  const worked = await runSearchFor('long', async (work) => (work.workedMs = 400));
  expect(await runSearchFor('long', ({ workedMs }) => Promise.resolve(workedMs))).toBeGreaterThan(worked / 4);
  expect(await runSearchFor('other', ({ workedMs }) => Promise.resolve(workedMs))).toBe(0);
});
