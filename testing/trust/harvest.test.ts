import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SearchResponse } from '#contract/video-service/answers.ts';
import { english } from '#domain/words/languages/english.ts';
import { addFilm } from '../add-film.ts';
import { indexFilms } from '../index-films.ts';
import { putReport } from '../put-report.ts';
import { seededRandom } from '../seeded-random.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';
import { withoutLimits } from '../without-limits.ts';

const check = 'harvest';
const shownMax = 0.1;
const lines = 540;
const requestsMax = wantsWholeCorpus ? 3_000 : 250;

let server: TestServer;
let film: string;
beforeAll(async () => {
  // However often a guest may search: what is shown is bounded by itself.
  const { RUSHES_LINES_PER_VIDEO_HOUR: _shipped, ...limits } = withoutLimits;
  server = await startTestServer(limits);
  film = await addFilm(server.context, { name: 'A long talk', lines: spokenLines(), durationInSeconds: 4 * lines });
  await indexFilms(server.context);
});
afterAll(() => server.stop());

test('a guest who asks for every word that was read puts no transcript together', { timeout: 300_000 }, async ({ task }) => {
  const headers = { authorization: `Bearer ${await server.guestToken()}` };
  const read = new Set<string>();
  const asked = new Set<string>();
  const waiting = 'the a and of to in is it that on we you for with this was as are'.split(' ');
  for (let word = waiting.shift(); word !== undefined && asked.size < requestsMax; word = waiting.shift()) {
    if (asked.has(word)) continue;
    asked.add(word);
    const url = `${server.account}/Videos/Search?pageSize=1&query=${encodeURIComponent(`id:${film} ${word}`)}`;
    const answer: SearchResponse = (await server.app.inject({ url, headers })).json();
    for (const { type, startTime, text } of answer.results[0]?.searchMatches ?? []) {
      if (type !== 'Transcript') continue;
      read.add(`${startTime} ${text}`);
      for (const next of text.toLowerCase().match(/\p{L}+/gu) ?? []) if (!asked.has(next)) waiting.push(next);
    }
  }
  // A line that was found by two of its words has two places and is read once.
  const linesShown = new Set([...read].map((line) => line.slice(line.indexOf(' ')))).size;
  putReport(task, { check, linesShown, lines, requests: asked.size });
  expect(linesShown).toBeGreaterThan(0);
  expect(linesShown / lines).toBeLessThanOrEqual(shownMax);
});

function spokenLines(): string[] {
  const random = seededRandom(5);
  const [empty, words] = [[...english.stopWords], Array.from({ length: 1_500 }, () => wordOf(random))];
  const word = () => (random.next() < 0.5 ? random.pick(empty) : words[Math.floor(random.next() ** 2 * words.length)]);
  return Array.from({ length: lines }, () => Array.from({ length: 10 }, word).join(' '));
}

function wordOf(random: ReturnType<typeof seededRandom>): string {
  return Array.from({ length: 2 + random.below(3) }, () => random.pick(['ba', 'do', 'ki', 'lu', 'me', 'no', 'ra', 'su', 'te'])).join('');
}
