import { z } from 'zod';
import { HeardLanguage } from './heard-language.ts';
import { type HeardLine, type HeardSpeech, type HeardWord, Seconds, Share } from './heard-line.ts';

const Speech = z.object({ segments: z.array(z.unknown()), language: HeardLanguage });

const Word = z
  .object({
    word: z.string().optional(),
    text: z.string().optional(),
    start: Seconds.optional().catch(undefined),
    probability: Share,
    score: Share,
  })
  .transform(
    ({ word, text, start, probability, score }): HeardWord => ({ text: word ?? text ?? '', start, confidence: probability ?? score }),
  );

const Line = z
  .object({
    start: Seconds,
    end: Seconds,
    text: z.string(),
    words: z.array(Word).catch([]),
    speaker: z.string().optional().catch(undefined),
    avg_logprob: z.number().max(0).optional().catch(undefined),
  })
  .transform(
    ({ avg_logprob, ...line }): HeardLine => ({ ...line, confidence: avg_logprob === undefined ? undefined : Math.exp(avg_logprob) }),
  );

/** JSON of openai-whisper, of the command-line tools around faster-whisper, and of WhisperX, which leaves out when numerals begin. */
export function whisperJson(json: unknown): HeardSpeech | undefined {
  const { data } = Speech.safeParse(json);
  return data && { engine: 'Whisper', entries: data.segments, Line, language: data.language };
}
