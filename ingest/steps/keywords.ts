import { z } from 'zod';
import { findKeywords } from '#domain/keywords/find-keywords.ts';
import { findMoments } from '#domain/moments/find-moments.ts';
import { countWords } from '#domain/search-index/count-terms.ts';
import { languagesAmong } from '#domain/words/languages/languages.ts';
import { type Engine, EngineUsed, toEngineUsed } from '../engines/engine.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { captions } from './captions.ts';
import { language } from './language.ts';
import { pictureSubtitles } from './picture-subtitles.ts';
import { speech } from './speech.ts';

const KeywordsResult = EngineUsed.extend({ keywords: z.array(z.string()) });
type KeywordsResult = z.infer<typeof KeywordsResult>;

/** Compares how often a word is said in a film with how often it is in the archive. */
export const wordCounter: Engine = {
  name: 'Word counts',
  version: '1',
  licence: 'Apache-2.0',
  source: 'Rushes',
  models: [],
  goodAt: 'Words and word pairs said more often in one video than in the rest of the archive; not measured.',
};

/** Finds the words that are said in this film more than in others; rough speech does not count. */
export const keywords: Step<KeywordsResult> = {
  name: 'keywords',
  version: 1,
  needs: [captions],
  follows: [pictureSubtitles, speech, language],
  optional: true,
  class: 'understood',
  share: 1,
  Result: KeywordsResult,
  run: chooseKeywords,
};

async function chooseKeywords({ pool, video, resultIfAny }: StepContext): Promise<StepOutcome<KeywordsResult>> {
  const moments = (await findMoments(pool, video.id)).filter(({ isRough }) => !isRough);
  const found = findKeywords(moments, await countWords(pool, moments), languagesAmong([resultIfAny(language)?.language ?? video.language]));
  return {
    is: 'done',
    result: { keywords: found.map(({ text }) => text), ...toEngineUsed(wordCounter) },
    layers: [{ name: 'keywords', keywords: found }],
  };
}
