import { besideOthersMs, TimeSlice } from '../scheduling/time-slice.ts';
import { fnvHashOf } from './fnv-hash.ts';
import { toSoundKey } from './sounds-like.ts';

/** Words by their sound: the hash of each word's key, in order, beside the number of the word. Eight bytes a word. */
export interface SoundIndex {
  readonly hashes: Uint32Array;
  readonly words: Uint32Array;
}

interface Words {
  readonly length: number;
  at(n: number): string;
}

const wordsPerStep = 100;

/** Makes the index of many words in time slices: other work goes on between them. */
export async function indexSoundsInSlices(words: Words): Promise<SoundIndex> {
  const hashes = new Uint32Array(words.length);
  const slice = new TimeSlice(besideOthersMs);
  for (let from = 0; from < words.length; from += wordsPerStep) {
    hashWords(words, { hashes, from, to: Math.min(words.length, from + wordsPerStep) });
    if (slice.isOver) await slice.next();
  }
  return sortHashes(hashes);
}

/** Makes the index of few words, at once. */
export function indexSounds(words: Words): SoundIndex {
  const hashes = new Uint32Array(words.length);
  hashWords(words, { hashes, from: 0, to: words.length });
  return sortHashes(hashes);
}

/** Numbers of the words that may have this key; a few of another one are among them. */
export function wordsOfSound({ hashes, words }: SoundIndex, key: string): number[] {
  const hash = hashOf(key);
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hashes[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  const found: number[] = [];
  for (let at = low; hashes[at] === hash; at++) found.push(words[at] ?? 0);
  return found;
}

function hashWords(words: Words, { hashes, from, to }: { hashes: Uint32Array; from: number; to: number }): void {
  for (let n = from; n < to; n++) hashes[n] = hashOf(toSoundKey(words.at(n)));
}

/** Hash and number in one float, which sorts natively: 32 and 21 bits of its 53. */
function sortHashes(hashes: Uint32Array): SoundIndex {
  const numbersMax = 2 ** 21;
  const both = Float64Array.from(hashes.subarray(0, numbersMax), (hash, n) => hash * numbersMax + n).sort();
  return {
    hashes: Uint32Array.from(both, (pair) => Math.floor(pair / numbersMax)),
    words: Uint32Array.from(both, (pair) => pair % numbersMax),
  };
}

function hashOf(key: string): number {
  return fnvHashOf(key) >>> 0;
}
