import { setTimeout as wait } from 'node:timers/promises';
import { seededRandom } from '#testing/seeded-random.ts';
import type { ServedArchive } from '#testing/served-archive.ts';
import { percentile } from './percentile.ts';
import type { MadeVideo } from './search-corpus.ts';

/** A made video with a word that no other video has. */
export interface Newcomer extends MadeVideo {
  readonly word: string;
}

const everyMs = 1_000;
const lookEveryMs = 100;
const patienceMs = 15_000;

/** The same videos under other ids, each with a last line that holds a word of its own. */
export function* newcomersOf(videos: Iterable<MadeVideo>, name: string): Generator<Newcomer> {
  const random = seededRandom([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
  let number = 0;
  for (const video of videos) {
    const word = Array.from({ length: 12 }, () => String.fromCharCode(97 + random.below(26))).join('');
    const start = video.durationSeconds;
    const lines = [...video.lines, { start, end: start + 5, text: `They call it ${word} around here.` }];
    yield { ...video, id: `${name}-${number++}`, word, lines };
  }
}

/** Publishes one video a second while `work` goes on; `found` says for each after how long a search found it, null for never. */
export async function withNewcomers<T>(
  archive: ServedArchive,
  newcomers: Iterator<Newcomer>,
  work: () => Promise<T>,
): Promise<{ result: T; found: (number | null)[] }> {
  const looked: Promise<number | null>[] = [];
  const timer = setInterval(() => {
    const { value, done } = newcomers.next();
    if (!done) looked.push(addAndFind(archive, value));
  }, everyMs);
  const result = await work().finally(() => clearInterval(timer));
  return { result, found: await Promise.all(looked) };
}

/** How soon newcomers were found, by what `withNewcomers` tells of each. */
export function newcomerFigures(found: readonly (number | null)[]) {
  const times = found.filter((ms) => ms !== null);
  return {
    added: found.length,
    foundP50Ms: percentile(times, 0.5),
    foundMaxMs: percentile(times, 1),
    missed: found.length - times.length,
  };
}

async function addAndFind(archive: ServedArchive, { word, ...video }: Newcomer): Promise<number | null> {
  const id = await archive.addVideo(video);
  const publishedAt = performance.now();
  while (performance.now() - publishedAt < patienceMs) {
    const found = await archive.search(word);
    if (found.includes(id)) return performance.now() - publishedAt;
    await wait(lookEveryMs);
  }
  return null;
}
