import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readIndexState, rowWordsPathIn } from '#domain/files/index-state.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import type { SearchRequest } from '../search-request.ts';

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

const namesOf = async ({ searching }: SearchableArchive, asking: Partial<SearchRequest> = {}) =>
  (await searching.answer({ ...request, ...asking })).results.map(({ video }) => video.name);

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

test('a video that came meanwhile is found for good, also by a word that it alone has', async () => {
  await withArchive(async (archive) => {
    expect(await namesOf(archive)).toEqual(['one']);
    await archive.publish({ three: 'Many herons fly.' });
    // The first to ask may be answered with the words of before.
    await namesOf(archive);
    await archive.searching.run(({ vocabulary }) => vocabulary.for(['herons']));
    expect((await namesOf(archive)).toSorted()).toEqual(['one', 'three']);
  });
});

test('an index that cannot be read is no answer, and what it did not find is looked for again', async () => {
  await withArchive(async (archive) => {
    const { folder } = archive.index;
    const state = await readIndexState(folder);
    if (!state) throw new Error('no index');
    const path = rowWordsPathIn(folder, state);
    renameSync(path, `${path}.away`);
    const warned = once(process, 'warning');
    await expect(namesOf(archive)).rejects.toMatchObject({ code: 'index_not_ready', retryAfterSeconds: 3 });
    expect(String((await warned)[0])).toContain('will be rebuilt');
    renameSync(`${path}.away`, path);
    expect(await namesOf(archive)).toEqual(['one']);
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
