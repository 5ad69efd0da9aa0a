import { access } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { sha256Of, sha256OfFile } from '../../files/sha256.ts';
import { encoderFiles, encoderName } from './encoder-files.ts';

/** A sentence encoder as it was chosen: the one that comes with the archive, or one that its operator named. */
export const EncoderChoice = z.object({
  /** What vectors are said to be made by: those of another encoder mean nothing beside them. */
  engine: z.string(),
  /** The tags of the languages that it understands, as a pattern of PostgreSQL's; and these in words. */
  languages: z.object({ pattern: z.string(), words: z.string() }),
  /** Its files with their SHA-256, which is empty for one that is missing. */
  files: z.array(z.object({ path: z.string(), sha256: z.string() })),
  /** The operator's own files; null for the archive's. */
  own: z.object({ model: z.string(), tokenizer: z.string() }).nullable(),
});
export type EncoderChoice = z.infer<typeof EncoderChoice>;

/** What makes vectors of sentences. */
export interface SentenceEncoder {
  /** Makes a vector of length 1 of each text; texts that say the same have vectors that point the same way. Some encoders tell questions from what is said. */
  encode(texts: readonly string[], as?: 'query' | 'passage'): Promise<Float32Array[]>;
  /** Whether a text is of words that the encoder knows, and not of letters that mean nothing to it. */
  understands(text: string): boolean;
}

/** Tags of languages, as an operator writes them: `en,de`, or `*` for all. */
export const EncoderLanguages = z
  .string()
  .regex(/^(\*|[a-z]{2,3}(,[a-z]{2,3})*)$/, 'must be tags of languages parted by commas, as in en,de, or *')
  .default('en');

/** Which encoder an operator wants. */
export interface EncoderSettings {
  /** An ONNX file with its `tokenizer.json` beside it; undefined for the encoder that comes with the archive. */
  readonly model: string | undefined;
  /** That it understands. */
  readonly languages: z.infer<typeof EncoderLanguages>;
}

export const builtInEncoder: EncoderChoice = {
  engine: encoderName,
  languages: { pattern: patternOf('en'), words: 'English' },
  files: [...encoderFiles],
  own: null,
};

/** Looks at the files that the operator named, once: what they are now is what is loaded later. */
export async function chooseEncoder({ model, languages }: EncoderSettings): Promise<EncoderChoice> {
  if (model === undefined) return builtInEncoder;
  const tokenizer = await findTokenizer(model);
  const files = await Promise.all([model, tokenizer].map(async (path) => ({ path, sha256: await sha256OfFile(path).catch(() => '') })));
  return {
    engine: `${basename(model)} ${sha256Of(files.map(({ sha256 }) => sha256).join(' ')).slice(0, 8)}`,
    languages: { pattern: patternOf(languages), words: languages.split(',').join(', ') },
    files,
    own: { model, tokenizer },
  };
}

/** Models are published with it beside them, or one folder above that of the model files. */
async function findTokenizer(model: string): Promise<string> {
  const [beside, above] = [join(dirname(model), 'tokenizer.json'), join(dirname(model), '..', 'tokenizer.json')];
  const isAbove = await access(beside).then(
    () => false,
    () =>
      access(above).then(
        () => true,
        () => false,
      ),
  );
  return isAbove ? above : beside;
}

function patternOf(languages: string): string {
  return languages === '*' ? '' : `^(${languages.split(',').join('|')})($|[-_])`;
}
