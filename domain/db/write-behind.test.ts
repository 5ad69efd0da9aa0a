import { expect, test } from 'vitest';
import { writeBehind } from './write-behind.ts';

test('one at a time: work goes on while the next is made, in order', async () => {
  const heard: string[] = [];
  const first = Promise.withResolvers<void>();
  const writer = writeBehind({ atOnce: 1 });
  await writer.begin(async () => {
    heard.push('first begins');
    await first.promise;
    heard.push('first ends');
  });
  const second = writer.begin(() => Promise.resolve().then(() => void heard.push('second')));
  heard.push('the next is made');
  first.resolve();
  await second;
  await writer.end();
  expect(heard).toEqual(['first begins', 'the next is made', 'first ends', 'second']);
});

test('two at a time: a third waits for either of them', async () => {
  const works = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const writer = writeBehind({ atOnce: 2 });
  const given = works.map(({ promise }, n) =>
    writer.begin(() => {
      begun.push(n);
      return promise;
    }),
  );
  await Promise.all(given.slice(0, 2));
  expect(begun).toEqual([0, 1]);
  works[1]?.resolve();
  await given[2];
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of works) resolve();
  await writer.end();
});

test('a failure is heard by whoever gives the next work, and at the end', async () => {
  const writer = writeBehind({ atOnce: 2 });
  await writer.begin(() => Promise.reject(new Error('The disk is full.')));
  await writer.begin(() => Promise.resolve()).catch(() => {});
  await expect(writer.begin(() => Promise.resolve())).rejects.toThrow('The disk is full.');
  await expect(writer.end()).rejects.toThrow('The disk is full.');
});

test('the end is the end of all, also where one has failed', async () => {
  const slow = Promise.withResolvers<void>();
  const writer = writeBehind({ atOnce: 2 });
  let isOver = false;
  await writer.begin(async () => {
    await slow.promise;
    isOver = true;
  });
  await writer.begin(() => Promise.reject(new Error('The disk is full.')));
  const ended = writer.end().catch((error: Error) => `${error.message} ${isOver}`);
  setImmediate(slow.resolve);
  expect(await ended).toBe('The disk is full. true');
});
