import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OnnxModel } from '#domain/meaning/encoder/onnx-model.ts';
import { seededRandom } from './seeded-random.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
const dimensions = 64;

/**
 * Writes a sentence encoder in which every number is made up, as such models are published: an ONNX file and its `tokenizer.json`. Words of
 * one group mean the same to it; every other word is cut into letters, which mean little. Returns the path of the ONNX file.
 */
export async function writeSentenceModel(folder: string, groups: readonly (readonly string[])[]): Promise<string> {
  await mkdir(folder, { recursive: true });
  const pieces = [...special, ...letters, ...groups.flat(), ...letters.map((letter) => `##${letter}`)];
  const random = seededRandom(7);
  const vectorOf = (length: number) => Float32Array.from({ length: dimensions }, () => (random.next() < 0.5 ? -length : length));
  const meanings = new Map(
    groups.flatMap((group) => {
      const vector = vectorOf(1);
      return group.map((word) => [word, vector] as const);
    }),
  );
  const table = new Float32Array(pieces.length * dimensions);
  for (const [n, piece] of pieces.entries()) table.set(meanings.get(piece) ?? vectorOf(0.01), n * dimensions);
  const model = new OnnxModel();
  const asked = model.input('input_ids', 'int64', ['texts', 'length']);
  model.input('attention_mask', 'int64', ['texts', 'length']);
  const name = model.add('Gather', [model.weights({ shape: [pieces.length, dimensions], values: table }), asked]);
  const path = join(folder, 'model.onnx');
  await writeFile(path, model.bytes({ name, dimensions: ['texts', 'length', 'numbers'] }));
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizerOf(pieces)));
  return path;
}

function tokenizerOf(pieces: readonly string[]): object {
  const named = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  return {
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [named('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, named('[SEP]')],
      special_tokens: Object.fromEntries(special.map((id, n) => [id, { id, ids: [n], tokens: [id] }])),
    },
    model: { type: 'WordPiece', unk_token: '[UNK]', vocab: Object.fromEntries(pieces.map((piece, n) => [piece, n])) },
  };
}
