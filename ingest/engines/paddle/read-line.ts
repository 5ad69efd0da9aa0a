import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { RawPicture } from '../raw-pictures.ts';
import { type Box, planesOf } from './picture.ts';

/** What a line says, and how sure that is, 0 to 1; an empty text where nothing can be read. */
interface LineReading {
  readonly text: string;
  readonly confidence: number;
}

export type ReadLine = (picture: RawPicture, box: Box) => Promise<LineReading>;

const height = 48;
const [narrowest, widest] = [48, 1_600];
const normal = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] } as const;
const charactersFrom = (from: string, to: string) =>
  Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, n) => String.fromCharCode(from.charCodeAt(0) + n));
/** What the network tells apart, in its order; the first of its numbers stands for no character. */
const characters = ['', ...charactersFrom('0', '~'), ...charactersFrom('!', '/'), ' ', ' '];

/** The network that reads a line of English text (CTC), from its file. */
export async function openLineReader(path: string, options: InferenceSession.SessionOptions): Promise<ReadLine> {
  const session = await InferenceSession.create(path, options);
  const [input = '', output = ''] = [session.inputNames[0], session.outputNames[0]];
  return async (picture, box) => {
    const width = Math.min(widest, Math.max(narrowest, Math.round((height * box.width) / box.height)));
    const planes = planesOf(picture, { box, size: { width, height }, normal });
    const found = (await session.run({ [input]: new Tensor('float32', planes, [1, 3, height, width]) }))[output];
    return found ? spell(found.data as Float32Array, found.dims[2] ?? 1) : { text: '', confidence: 0 };
  };
}

/** The likeliest character of each step, each once for as long as it goes on. */
function spell(probabilities: Float32Array, classes: number): LineReading {
  let [text, sum, count, before] = ['', 0, 0, 0];
  for (let from = 0; from < probabilities.length; from += classes) {
    let [best, highest] = [0, -1];
    for (let n = 0; n < classes; n++) {
      const value = probabilities[from + n] ?? 0;
      if (value > highest) [best, highest] = [n, value];
    }
    if (best !== 0 && best !== before) {
      text += characters[best] ?? '';
      sum += highest;
      count += 1;
    }
    before = best;
  }
  return { text: addSpacesAfterStops(lettersForZeros(text.trim())), confidence: count > 0 ? sum / count : 0 };
}

/** A slashed zero and an O look alike: within a word of letters it is one. */
function lettersForZeros(text: string): string {
  return text.replace(/(?<![\p{L}\d])[\p{L}0]{3,}(?![\p{L}\d])/gu, (word) =>
    (word.match(/\p{L}/gu)?.length ?? 0) < 2 ? word : word.replaceAll('0', /\p{Ll}/u.test(word.slice(1)) ? 'o' : 'O'),
  );
}

/** The network leaves out narrow spaces: behind a comma there is one, and behind a stop that ends a word where a capital begins the next. */
function addSpacesAfterStops(text: string): string {
  return text.replace(/,(?=\p{L})|(?<=\p{Ll})[.:](?=\p{Lu}\p{Ll})/gu, (stop) => `${stop} `);
}
