import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeSentenceModel } from '#testing/sentence-model.ts';
import { chooseEncoder } from './choose-encoder.ts';
import { encoderFiles, toEncoderPath } from './encoder-files.ts';
import { openEncoder } from './open-encoder.ts';
import { openWordPieces, readTokenizer } from './word-pieces.ts';

const folder = await mkdtemp(join(tmpdir(), 'rushes-encoder-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

function cosine(one: Float32Array = new Float32Array(), other: Float32Array = new Float32Array()): number {
  return one.reduce((sum, value, n) => sum + value * (other[n] ?? 0), 0);
}

test('texts are cut into the pieces that the model knows, and what it does not know is one piece', async () => {
  const toPieces = await openWordPieces(toEncoderPath('vocab.json'));
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
  await expect(openEncoder({ files, own: null })).rejects.toThrow('its file vocab.json is broken');
});

test('an encoder of the operator’s own cuts and weighs texts as its files say', async () => {
  const model = await writeSentenceModel(join(folder, 'own'), [['storm', 'tempest', 'gale'], ['barn', 'stable'], ['bread']]);
  const choice = await chooseEncoder({ model, languages: 'en,de' });
  expect(choice).toMatchObject({ engine: expect.stringMatching(/^model\.onnx [0-9a-f]{8}$/), languages: { words: 'en, de' } });
  const { encode, understands } = await openEncoder(choice);
  const [asked, same, other] = await encode(['A Tempest, stable!', 'the storm barn', 'bread bread'], 'query');
  expect(asked).toHaveLength(64);
  expect(cosine(asked, same)).toBeGreaterThan(0.9);
  expect(cosine(asked, other)).toBeLessThan(0.5);
  expect([understands('storms and barns'), understands('xqzzyvblorp wnitzelfrub')]).toEqual([true, false]);
});

test('words are cut into the longest pieces that a model knows, without accents and capitals where it says so', async () => {
  await writeSentenceModel(join(folder, 'pieces'), [['storm'], ['barn']]);
  const { cut, before, behind } = await readTokenizer(join(folder, 'pieces', 'tokenizer.json'));
  const pieces = { storm: 30, barn: 31, insideS: 50 };
  expect([before, cut('Störm  barns \u{1f33e}'), behind]).toEqual([[2], [pieces.storm, pieces.barn, pieces.insideS, 1], [3]]);
});

test('files that are missing or of another kind are told in a sentence', async () => {
  const missing = await chooseEncoder({ model: join(folder, 'none.onnx'), languages: '*' });
  await expect(openEncoder(missing)).rejects.toThrow('its file none.onnx is missing');
  const model = await writeSentenceModel(join(folder, 'odd'), [['word']]);
  await writeFile(join(folder, 'odd', 'tokenizer.json'), JSON.stringify({ model: { type: 'BPE', vocab: {}, merges: [] } }));
  const odd = await chooseEncoder({ model, languages: '*' });
  await expect(openEncoder(odd)).rejects.toThrow('its tokenizer.json is of a kind that is not known here: WordPiece and Unigram are');
});
