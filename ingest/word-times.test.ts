import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SearchResponse } from '#contract/video-service/answers.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { indexFilms } from '#testing/index-films.ts';
import { type SearchServer, startSearchServer } from '#testing/search-server.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';

const stamped = `WEBVTT

00:00.500 --> 00:02.800
<v Ann>the<00:01.000><c> ferry</c> <00:01.500>İßﬁ <00:02.250>leaves<00:02.500><c.loud> &amp; whistles</c>

00:02.800 --> 00:02.900
<00:01.000>hostile <00:59.000>stamps <-1>here <1000000000>remain
`;

const heard = {
  language: 'fr',
  segments: [
    { start: -5, end: 'never', text: 7 },
    {
      id: 0,
      start: 0.5,
      end: 2.8,
      text: ' a tram 28 turns, squealing',
      avg_logprob: -0.2,
      words: [
        { word: ' a', start: 0.5, end: 0.9, probability: 0.99 },
        { word: ' tram', start: 1, end: 1.4, probability: 0.9 },
        { word: ' 28' },
        { word: ' turns,', start: 2.25, end: 2.5, probability: 0.9 },
        { word: ' squealing', start: 2.5, end: 2.8, probability: 0.9 },
      ],
    },
  ],
};

let archive: TestIngest;
let server: SearchServer;
beforeAll(async () => {
  archive = await openTestIngest();
  server = await startSearchServer({ dataFolder: join(archive.scratch, 'data'), pool: archive.database.pool });
});
afterAll(async () => {
  await server?.close();
  await archive.close();
});

test('a film whose captions stamp their words is found at the second of the word that was looked for', { timeout: 120_000 }, async () => {
  const film = join(archive.scratch, 'ferry.mp4');
  await copyFile(resolve(import.meta.dirname, '../samples/Dunes in the wind.mp4'), film);
  await writeFile(join(archive.scratch, 'ferry.en.vtt'), stamped);
  const { id, state } = await archive.ingest(film);
  expect(state).toBe('Processed');
  await indexFilms(archive.context);

  expect(await startOf('leaves ')).toBe('00:00:02.2500000');
  expect(await startOf('ferry leaves ')).toBe('00:00:01');
  expect(await startOf('whistles ')).toBe('00:00:02.5000000');
  expect(await startOf('hostile stamps ')).toBe('00:00:02.8000000');
  // The player's captions say the same, and keep the stamps.
  const captions = String(await storedBytes(archive.context.store, toVideoKeys(id).captions));
  expect(captions).toContain('<v Ann>the <00:00:01.000>ferry <00:00:01.500>İßﬁ <00:00:02.250>leaves <00:00:02.500>&amp; whistles\n');
});

test('a film with the transcript of a recogniser beside it is found at the second of the word, and a broken line is said', {
  timeout: 120_000,
}, async () => {
  const film = join(archive.scratch, 'tram.mp4');
  await copyFile(resolve(import.meta.dirname, '../samples/Under the pier.mp4'), film);
  await writeFile(join(archive.scratch, 'tram.json'), '{"title":"A tram in the hills"}');
  await writeFile(join(archive.scratch, 'tram.mp4.json'), JSON.stringify(heard));
  const { id, state, name } = await archive.ingest(film);
  expect([state, name]).toEqual(['Processed', 'A tram in the hills']);
  await indexFilms(archive.context);

  expect(await startOf('turns ')).toBe('00:00:02.2500000');
  expect(await startOf('28 turns ')).toBe('00:00:01');
  expect(await startOf('squealing ')).toBe('00:00:02.5000000');
  const captions = String(await storedBytes(archive.context.store, toVideoKeys(id).captions));
  expect(captions).toContain('a <00:00:01.000>tram 28 <00:00:02.250>turns, <00:00:02.500>squealing\n');
  const { rows } = await archive.database.pool.query(
    `select language, message from videos join ingest_steps on video_id = id where id = $1 and step = 'captions'`,
    [id],
  );
  expect(rows).toEqual([{ language: 'fr', message: 'transcript: 1 lines without text or with unreadable times ignored' }]);
});

/** When the best match of the best film starts, as the answer over HTTP tells it. */
async function startOf(query: string): Promise<string | undefined> {
  const address = `${server.searchAddress}?${new URLSearchParams({ query })}`;
  const answer = await fetch(address, { headers: { authorization: `Bearer ${server.accessToken}` } });
  const { results } = SearchResponse.parse(await answer.json());
  return results[0]?.searchMatches[0]?.startTime;
}
