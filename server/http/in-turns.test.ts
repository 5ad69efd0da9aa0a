import { expect, test } from 'vitest';
import { inTurns } from './in-turns.ts';

/** Work that ends when it is told to; `begun` says which has begun, in order. */
function workbench() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

const somebody = { name: 'somebody', isGone: () => false };

test('no more than so many go on at a time, and the others follow in the order in which they came', async () => {
  const { begun, work, end } = workbench();
  const turn = inTurns(2);
  const all = ['a', 'b', 'c', 'd'].map((name) => turn(somebody, work(name)));
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await all[1];
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  await Promise.all([all[0], all[2]]);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  end('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('who asks once waits for no more than one of each of the others, however much they ask', async () => {
  const { begun, work, end } = workbench();
  const turn = inTurns(1);
  const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
  const all = asked.map((name) => turn({ name: name.charAt(0), isGone: () => false }, work(name)));
  const order = ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'];
  for (const name of order) {
    end(name);
    await all[asked.indexOf(name)];
  }
  expect(begun).toEqual(order);
});

test('what fails gives its turn to the next', async () => {
  const turn = inTurns(1);
  const failed = turn(somebody, () => Promise.reject(new Error('no')));
  const next = turn(somebody, () => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('what has waited for seconds is refused with a word, and the one behind it goes on', async () => {
  let now = 0;
  const { begun, work, end } = workbench();
  const turn = inTurns(1, () => now);
  const first = turn(somebody, work('first'));
  const late = turn(somebody, work('late'));
  now = 5_001;
  const fresh = turn(somebody, work('fresh'));
  end('first');
  await first;
  await expect(late).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 3 });
  end('fresh');
  expect(await fresh).toBe('fresh');
  expect(begun).toEqual(['first', 'fresh']);
});

test('what nobody waits for any more is not begun', async () => {
  const { begun, work, end } = workbench();
  const turn = inTurns(1);
  const first = turn(somebody, work('first'));
  let isGone = false;
  const left = turn({ name: 'somebody', isGone: () => isGone }, work('left'));
  const next = turn(somebody, work('next'));
  isGone = true;
  end('first');
  await first;
  await expect(left).rejects.toMatchObject({ code: 'unavailable' });
  end('next');
  expect(await next).toBe('next');
  expect(begun).toEqual(['first', 'next']);
});
