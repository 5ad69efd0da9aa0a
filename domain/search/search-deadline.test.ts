import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { Deadline } from '../scheduling/deadline.ts';
import { type CodeRoom, CodeRooms } from '../search-index/code-room.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import { openSearch } from './open-search.ts';
import type { SearchRequest } from './search-request.ts';

const films = 130;
let archive: SearchableArchive;

beforeAll(async () => {
  const said = ['the heron and the tide', 'of a morning'];
  archive = await createSearchableArchive(Object.fromEntries(Array.from({ length: films }, (_, n) => [`film-${n}`, { said }])));
});
afterAll(() => archive.drop());

const late = { query: ['+the +of -zeppelin'], skip: 110, pageSize: 12, purpose: 'results' } as const;

/** A clock that has reached the deadline when it has been looked at so often. */
function clockOf(looksMax: number) {
  const clock = { looks: 0 };
  return { clock, deadline: new Deadline(1, () => (clock.looks++ > looksMax ? 1 : 0)) };
}

/** A search that keeps nothing of an earlier one. */
const unread = () => openSearch({ pool: archive.database.pool, index: archive.index, budgetBytes: 0 });
const search = (deadline: Deadline, request: SearchRequest = late) => unread().answer(request, { deadline });

test('a search looks at its clock between one piece of work and the next, and ends wherever its time is over', async () => {
  const { clock, deadline } = clockOf(Number.POSITIVE_INFINITY);
  expect((await search(deadline)).results).toHaveLength(12);
  // Before every window of the index, and before every fifty films that are read for a condition.
  expect(clock.looks).toBeGreaterThanOrEqual(4);
  for (let looks = 0; looks < clock.looks - 1; looks++) {
    await expect(search(clockOf(looks).deadline), `after ${looks}`).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
  }
});

test('counts that run out of time tell of what was counted until then', async () => {
  const request = { ...late, query: ['heron '], skip: 0 };
  const whole = await archive.searching.facets(request);
  expect([whole.isAll, whole.videos]).toEqual([true, films]);
  const part = await unread().facets(request, { deadline: clockOf(3).deadline });
  expect(part.isAll).toBe(false);
  expect(part.videos).toBeGreaterThan(0);
  expect(part.videos).toBeLessThan(films);
});

test('a survey that runs out of time gives its rooms away when nothing is read into them any more', async () => {
  const reading = new Set<CodeRoom | undefined>();
  const given: { room: CodeRoom; isRead: boolean }[] = [];
  class WatchedRooms extends CodeRooms {
    override async use<T>(work: (room: CodeRoom) => Promise<T>): Promise<T> {
      return await super.use(async (room) => {
        const done = await work(room);
        given.push({ room, isRead: reading.has(room) });
        return done;
      });
    }
  }
  const slow: SearchIndex = {
    ...archive.index,
    rooms: new WatchedRooms(),
    films: async (ids, read) => {
      reading.add(read?.room);
      for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate);
      const films = await archive.index.films(ids, read);
      reading.delete(read?.room);
      return films;
    },
  };
  const searching = openSearch({ pool: archive.database.pool, index: slow, budgetBytes: 0 });
  const request = { ...late, query: ['heron '], skip: 0 };
  // Over when fifty films are looked at, while the last thirty are being read.
  expect((await searching.facets(request, { deadline: clockOf(2).deadline })).videos).toBe(50);
  expect(given.length).toBeGreaterThan(2);
  expect(given.filter(({ isRead }) => isRead)).toEqual([]);
});

test('alternatives that ask for the same are one, and those that differ in their conditions alone are ranked once', async () => {
  const looksOf = async (query: readonly string[]) => {
    const { clock, deadline } = clockOf(Number.POSITIVE_INFINITY);
    const answer = await search(deadline, { ...late, query });
    return { looks: clock.looks, names: answer.results.map(({ video }) => video.externalId) };
  };
  const once = await looksOf(['+the +of']);
  expect(await looksOf(Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? '+the +of' : '  +THE   +of')))).toEqual(once);
  const others = Array.from({ length: 8 }, (_, n) => `+the +of -zeppelin${n}`);
  expect((await looksOf(others)).looks).toBe(once.looks);
  expect((await looksOf(['+the', '+of', '+and'])).looks).toBeGreaterThan(once.looks);
});
