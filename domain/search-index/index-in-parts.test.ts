import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createSearchableArchive, type TestFilm } from '#testing/searchable-archive.ts';
import { catchUpIndex } from './keep-index.ts';
import { mergeRecent } from './merge-recent.ts';

// One megabyte to a part, as LanceDB reads it with the first word index of this process: as if the archive had a million films.
// biome-ignore lint/style/noProcessEnv: it is not read here, but by LanceDB
process.env.LANCE_FTS_PARTITION_SIZE = '1';

const lineCount = 40;

/** What nobody asks for: many words, most of them in few films. */
function filler(film: number): string[] {
  return Array.from({ length: lineCount }, (_, line) =>
    Array.from({ length: 12 }, (_, n) => `w${(film * 7_919 + line * 613 + n * 31) % 30_000}`).join(' '),
  );
}

test('films are found and put in order alike wherever in an index of several parts they stand', async () => {
  const archive = await createSearchableArchive();
  try {
    const films = Array.from({ length: 400 }, (_, n): [string, TestFilm] => {
      const said = filler(n);
      if (n % 133 === 0) said.push('The harbour lights go out.');
      return [`film-${n}`, { said: n === 200 ? [...said, 'A harbour, lights, and no going out.'] : said }];
    });
    await archive.publish(Object.fromEntries(films));
    const beforeIt = await archive.found('"harbour lights"');
    await mergeRecent(await catchUpIndex(archive.database.pool, archive.copy));
    const files = readdirSync(archive.index.folder, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => /passages\.lance.*part_\d+_invert\.lance$/.test(name)).length).toBeGreaterThan(2);

    const holding = ['film-0', 'film-133', 'film-200', 'film-266', 'film-399'];
    expect(beforeIt.toSorted()).toEqual(holding);
    expect(await archive.found('"harbour lights"')).toEqual(beforeIt);
    const inWords = await archive.found('harbour lights go out ');
    expect(inWords.toSorted()).toEqual(holding);
    expect(inWords.at(-1)).toBe('film-200');
  } finally {
    await archive.drop();
  }
});
