import { z } from 'zod';
import { HeardLanguage } from './heard-language.ts';
import { type HeardLine, type HeardSpeech, type HeardWord, Seconds, Share } from './heard-line.ts';

const Speech = z.object({
  transcription: z.array(z.unknown()),
  result: z.object({ language: HeardLanguage }).optional().catch(undefined),
});

const Milliseconds = z
  .number()
  .transform((ms) => ms / 1_000)
  .pipe(Seconds);
const Token = z.object({ text: z.string(), offsets: z.object({ from: Milliseconds }), p: Share });
type Token = z.infer<typeof Token>;

const Line = z
  .object({ text: z.string(), offsets: z.object({ from: Milliseconds, to: Milliseconds }), tokens: z.array(Token).catch([]) })
  .transform(({ text, offsets, tokens }): HeardLine => ({ start: offsets.from, end: offsets.to, text, words: joinTokens(tokens) }));

/** JSON that whisper.cpp writes with `-oj`, or with `-ojf` when it tells its tokens too. */
export function whisperCppJson(json: unknown): HeardSpeech | undefined {
  const { data } = Speech.safeParse(json);
  return data && { engine: 'whisper.cpp', entries: data.transcription, Line, language: data.result?.language };
}

const special = /^\s*(?:\[_.*\]|<\|.*\|>)\s*$/s;

/** A token that begins with a blank begins a word, which is as sure as the least sure of its tokens. */
function joinTokens(tokens: readonly Token[]): HeardWord[] {
  const words: { text: string; start: number; confidence: number }[] = [];
  for (const { text, offsets, p = 1 } of tokens) {
    if (special.test(text)) continue;
    const word = words.at(-1);
    if (!word || /^\s/.test(text)) {
      words.push({ text, start: offsets.from, confidence: p });
    } else {
      word.text += text;
      word.confidence = Math.min(word.confidence, p);
    }
  }
  return words;
}
