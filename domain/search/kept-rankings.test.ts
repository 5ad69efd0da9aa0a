import { expect, test } from 'vitest';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import type { SearchRequest } from './search-request.ts';
import { searchVideos } from './search-videos.ts';

const request: SearchRequest = { query: ['heron'], skip: 0, pageSize: 12, purpose: 'results' };

/** The archive, and how often its index was asked for rows since it was last looked at. */
async function withArchive(work: (archive: SearchableArchive, asked: () => number) => Promise<void>): Promise<void> {
  const archive = await createSearchableArchive({ one: 'The heron stands.', two: 'A bittern booms.' });
  let count = 0;
  const { index } = archive;
  const find = index.find.bind(index);
  index.find = (...question) => {
    count++;
    return find(...question);
  };
  const asked = () => {
    const before = count;
    count = 0;
    return before;
  };
  await work(archive, asked).finally(() => archive.drop());
}

const namesOf = async ({ database: { pool }, index }: SearchableArchive, asking: Partial<SearchRequest> = {}) =>
  (await searchVideos({ pool, index }, { ...request, ...asking })).results.map(({ video }) => video.name);

test('whoever asks what was just asked gets the same answer, and the index is not asked again', async () => {
  await withArchive(async (archive, asked) => {
    expect(await namesOf(archive)).toEqual(['one']);
    expect(asked()).toBeGreaterThan(0);
    expect(await namesOf(archive)).toEqual(['one']);
    expect(asked()).toBe(0);
    expect(await namesOf(archive, { query: ['bittern'] })).toEqual(['two']);
    expect(asked()).toBeGreaterThan(0);
  });
});

test('a video that came meanwhile is found at once, and one that was withdrawn is gone at once', async () => {
  await withArchive(async (archive) => {
    expect(await namesOf(archive)).toEqual(['one']);
    await archive.publish({ three: 'Another heron.' });
    expect((await namesOf(archive)).toSorted()).toEqual(['one', 'three']);
    await archive.database.pool.query("update videos set state = 'Quarantined' where name = 'one'");
    expect(await namesOf(archive)).toEqual(['three']);
  });
});

test('what only the database knows is asked anew every time', async () => {
  await withArchive(async (archive, asked) => {
    for (let n = 0; n < 2; n++) {
      expect(await namesOf(archive, { owners: ['nobody'] })).toEqual([]);
      expect(asked()).toBeGreaterThan(0);
    }
    await archive.database.pool.query("update videos set owner = 'nobody' where name = 'one'");
    expect(await namesOf(archive, { owners: ['nobody'] })).toEqual(['one']);
  });
});
