import { expect, test } from 'vitest';
import { type Asker, openSearchQueue, type Work } from './search-queue.ts';

/** Work that ends when it is told to; `begun` says which has begun, in order. */
function workbench(places: { atOnce: number; countsAtOnce?: number }, now: () => number = () => 0) {
  const enqueue = openSearchQueue({ countsAtOnce: 9, ...places }, now);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const all = new Map<string, Promise<string>>();
  /** The first letter of a piece of work says whose it is. */
  const ask = (name: string, { kind = 'search', asker = networkOf(name.charAt(0)) }: { kind?: Work; asker?: Asker } = {}) => {
    const answer = enqueue(asker, kind, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
    answer.catch(() => {});
    all.set(name, answer);
    return answer;
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (...names: string[]) => {
    for (const name of names) ends.get(name)?.();
    await settled();
  };
  return { enqueue, begun, ask, end, settled };
}

function networkOf(name: string, more: Partial<Asker> = {}): Asker {
  return { networks: [{ name, shares: 1 }], isGone: () => false, ...more };
}

test('no more than so many go on at a time, and the others follow in the order in which they came', async () => {
  const { begun, ask, end, settled } = workbench({ atOnce: 2 });
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(name));
  await settled();
  expect(begun).toEqual(['a1', 'a2']);
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  await end('a1', 'a3');
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4']);
  await end('a4');
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4']);
});

test('who asks once waits for no more than one of each of the others, however much they ask', async () => {
  const { begun, ask, end, settled } = workbench({ atOnce: 1 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'd1']) ask(name);
  await settled();
  const order = ['a1', 'b1', 'a2', 'b2', 'c1', 'd1', 'a3'];
  for (const name of order) await end(name);
  expect(begun).toEqual(order);
});

test('a network that is alone has every place, and a newcomer finds one all the same', async () => {
  const { begun, ask, settled } = workbench({ atOnce: 3 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask(name);
  await settled();
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  ask('b1');
  await settled();
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
});

test('while others ask, a network has one search under way, and one count beside it', async () => {
  let now = 0;
  const { begun, ask, end, settled } = workbench({ atOnce: 6 }, () => now);
  ask('b1');
  for (const name of ['a1', 'a2', 'a3']) ask(name);
  for (const name of ['a-count1', 'a-count2']) ask(name, { kind: 'count' });
  await settled();
  expect(begun).toEqual(['b1', 'a1', 'a-count1']);
  await end('b1', 'a1');
  expect(begun).toEqual(['b1', 'a1', 'a-count1', 'a2']);
  // Nobody else has asked for some seconds.
  now = 3_000;
  await end('a2');
  expect(begun.slice(4)).toEqual(['a3', 'a-count2']);
});

test('networks of one IPv6 site have four places together while others ask', async () => {
  const { begun, ask, end, settled } = workbench({ atOnce: 9 });
  ask('b1');
  const ofSite = (n: number) =>
    networkOf(`${n}`, {
      networks: [
        { name: `${n}`, shares: 1 },
        { name: 'site', shares: 4 },
      ],
    });
  for (let n = 1; n <= 6; n++) ask(`n${n}`, { asker: ofSite(n) });
  await settled();
  expect(begun).toEqual(['b1', 'n1', 'n2', 'n3', 'n4']);
  await end('n3');
  expect(begun.slice(5)).toEqual(['n5']);
});

test('counts have fewer places, and hold up no search', async () => {
  const { begun, ask, settled } = workbench({ atOnce: 4, countsAtOnce: 1 });
  for (const name of ['a-count1', 'a-count2']) ask(name, { kind: 'count' });
  ask('a1');
  await settled();
  expect(begun).toEqual(['a-count1', 'a1']);
});

test('what fails gives its place to the next', async () => {
  const { enqueue } = workbench({ atOnce: 1 });
  const failed = enqueue(networkOf('a'), 'search', () => Promise.reject(new Error('no')));
  const next = enqueue(networkOf('a'), 'search', () => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('what has waited for seconds is refused with a word, and the one behind it goes on', async () => {
  let now = 0;
  const { begun, ask, end, settled } = workbench({ atOnce: 1 }, () => now);
  ask('first');
  await settled();
  const late = ask('f-late');
  now = 5_001;
  ask('f-fresh');
  await settled();
  await end('first');
  await expect(late).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 3 });
  await end('f-fresh');
  expect(begun).toEqual(['first', 'f-fresh']);
});

test('what nobody waits for any more is not begun', async () => {
  const { begun, ask, end, settled } = workbench({ atOnce: 1 });
  ask('first');
  let isGone = false;
  const left = ask('f-left', { asker: networkOf('f', { isGone: () => isGone }) });
  ask('f-next');
  await settled();
  isGone = true;
  await end('first');
  await expect(left).rejects.toMatchObject({ code: 'unavailable' });
  expect(begun).toEqual(['first', 'f-next']);
});
