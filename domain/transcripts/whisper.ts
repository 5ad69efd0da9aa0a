import { z } from 'zod';
import { Language } from '../footage/footage-facts.ts';
import { type HeardLine, type HeardSpeech, type HeardWord, Seconds, Share } from './heard-line.ts';

let tagsByName: ReadonlyMap<string, string> | undefined;

/** The language of a transcript: its tag, or its English name, as hosted Whispers write it. What is neither says nothing. */
const HeardLanguage = z
  .string()
  .transform((text) => tagOf(text.toLowerCase()) ?? text)
  .pipe(Language)
  .optional()
  .catch(undefined);

function tagOf(name: string): string | undefined {
  tagsByName ??= new Map(listNamedTags());
  return tagsByName.get(name);
}

/** What Whisper calls otherwise than the tables of names do, or what has a tag of three letters. */
const otherNames =
  'bengali/bn tagalog/tl maori/mi myanmar/my nynorsk/nn hawaiian/haw cantonese/yue castilian/es flemish/nl haitian/ht moldavian/ro ' +
  'pushto/ps sinhalese/si';

/** Every language with a tag of two letters, by its name in lower case, and some by other names. */
function* listNamedTags(): Generator<[name: string, tag: string]> {
  for (const [name = '', tag = ''] of otherNames.split(' ').map((pair) => pair.split('/'))) yield [name, tag];
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  for (const tag of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = names.of(tag);
    // Some languages have an older tag as well.
    if (name) yield [name.toLowerCase(), Intl.getCanonicalLocales(tag)[0] ?? tag];
  }
}

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
export function parseWhisperJson(json: unknown): HeardSpeech | undefined {
  const { data } = Speech.safeParse(json);
  return data && { engine: 'Whisper', entries: data.segments, Line, language: data.language };
}

const CppSpeech = z.object({
  transcription: z.array(z.unknown()),
  result: z.object({ language: HeardLanguage }).optional().catch(undefined),
});

const Milliseconds = z
  .number()
  .transform((ms) => ms / 1_000)
  .pipe(Seconds);
const Token = z.object({ text: z.string(), offsets: z.object({ from: Milliseconds }), p: Share });
type Token = z.infer<typeof Token>;

const CppLine = z
  .object({ text: z.string(), offsets: z.object({ from: Milliseconds, to: Milliseconds }), tokens: z.array(Token).catch([]) })
  .transform(({ text, offsets, tokens }): HeardLine => ({ start: offsets.from, end: offsets.to, text, words: joinTokens(tokens) }));

/** JSON that whisper.cpp writes with `-oj`, or with `-ojf` when it tells its tokens too. */
export function parseWhisperCppJson(json: unknown): HeardSpeech | undefined {
  const { data } = CppSpeech.safeParse(json);
  return data && { engine: 'whisper.cpp', entries: data.transcription, Line: CppLine, language: data.result?.language };
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
