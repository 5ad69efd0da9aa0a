import { expect, test } from 'vitest';
import { CodeRooms } from './code-room.ts';

test('a room is used again by the next search, by no two at a time, and never after a search that failed', async () => {
  const rooms = new CodeRooms();
  const first = await rooms.use((room) => Promise.resolve(room));
  const ofBoth = await rooms.use(async (room) => [room, await rooms.use((other) => Promise.resolve(other))]);
  expect(ofBoth[0]).toBe(first);
  expect(ofBoth[1]).not.toBe(first);
  const failing: unknown[] = [];
  const failed = rooms.use((room) => {
    failing.push(room);
    return Promise.reject(new Error('too late'));
  });
  await expect(failed).rejects.toThrow('too late');
  const later = await rooms.use(async (room) => [room, await rooms.use((other) => Promise.resolve(other))]);
  expect(later).not.toContain(failing[0]);
});

test('what stands in a room is gone when its search has ended, and a large room is not kept', async () => {
  const rooms = new CodeRooms();
  const room = await rooms.use((own) => {
    own.take(own.free(100).length);
    return Promise.resolve(own);
  });
  expect(room.free(1).byteOffset).toBe(0);
  const large = await rooms.use((own) => {
    own.free(10_000_000);
    return Promise.resolve(own);
  });
  expect(await rooms.use((own) => Promise.resolve(own))).not.toBe(large);
});
