import { z } from 'zod';
import { findKeywords } from '#domain/keywords/find-keywords.ts';
import { countWords } from '#domain/search-index/count-terms.ts';
import { findMoments } from '#domain/videos/moments-of-video.ts';
import { languagesAmong } from '#domain/words/languages/languages.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { captions } from './captions.ts';
import { pictureSubtitles } from './picture-subtitles.ts';
import { speech } from './speech.ts';

const KeywordsResult = z.object({ keywords: z.array(z.string()) });
type KeywordsResult = z.infer<typeof KeywordsResult>;

/** Finds the words that are said in this film more than in others. */
export const keywords: Step<KeywordsResult> = {
  ...{
    name: 'keywords',
    version: 1,
    needs: [captions],
    follows: [pictureSubtitles, speech],
    optional: true,
    class: 'understood',
    share: 1,
  },
  Result: KeywordsResult,
  run: chooseKeywords,
};

async function chooseKeywords({ pool, video }: StepContext): Promise<StepOutcome<KeywordsResult>> {
  const moments = await findMoments(pool, video.id);
  const found = findKeywords(moments, await countWords(pool, moments), languagesAmong([video.language]));
  return { is: 'done', result: { keywords: found.map(({ text }) => text) }, layers: [{ name: 'keywords', keywords: found }] };
}
