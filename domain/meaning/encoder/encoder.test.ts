import { expect, test } from 'vitest';
import { encoderFile, encoderFiles } from './encoder-files.ts';
import { openEncoder, openWordPieces } from './open-encoder.ts';

function cosine(one: Float32Array = new Float32Array(), other: Float32Array = new Float32Array()): number {
  return one.reduce((sum, value, n) => sum + value * (other[n] ?? 0), 0);
}

test('texts are cut into the pieces that the model knows, and what it does not know is one piece', async () => {
  const toPieces = await openWordPieces(encoderFile('vocab.json'));
  expect(toPieces('Hello, world.')).toEqual([341, 4125, 8, 311, 6]);
  expect(toPieces('中中')).toEqual([30, 0]);
  expect(toPieces('ﬁne   day')).toEqual(toPieces('fine day'));
});

test('sentences that say the same are nearer to each other than to any other, alone and beside longer ones', async () => {
  const { encode } = await openEncoder();
  const pairs: [string, string][] = [
    ['The storm tore the roof off the barn.', 'High winds destroyed the top of a farm building.'],
    ['How old are you?', 'What is your age?'],
    ['The court dismissed his appeal.', 'Judges rejected the request for a new trial.'],
  ];
  const vectors = await encode([...pairs.flat(), 'A much longer text of other things. '.repeat(30)]);
  const [alone] = await encode([pairs[0]?.[0] ?? '']);
  expect(cosine(alone, vectors[0])).toBeGreaterThan(0.995);
  for (const [n] of pairs.entries()) {
    const near = vectors.map((other, m) => (m === 2 * n ? Number.NEGATIVE_INFINITY : cosine(vectors[2 * n], other)));
    expect(near.indexOf(Math.max(...near))).toBe(2 * n + 1);
  }
});

test('letters that are no words are not understood', async () => {
  const { understands } = await openEncoder();
  expect(understands('what did the captain say about the harbour?')).toBe(true);
  expect(understands('xqzzy vblorp wnitzelfrub grmpfh')).toBe(false);
});

test('a file that is not what it should be is not used', async () => {
  const files = encoderFiles.map((file, n) => (n === 1 ? { ...file, sha256: '0'.repeat(64) } : file));
  await expect(openEncoder(files)).rejects.toThrow('the file vocab.json of the sentence encoder is broken');
});
