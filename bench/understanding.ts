import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { sharedMedia } from '#testing/shared-media.ts';
import { measureBrands } from './understanding/measure-brands.ts';
import { measureHearing } from './understanding/measure-hearing.ts';
import { measureLanguage } from './understanding/measure-language.ts';
import { measureMeaning } from './understanding/measure-meaning.ts';
import { measurePeopleAndLabels } from './understanding/measure-people-and-labels.ts';
import { measureShots } from './understanding/measure-shots.ts';
import { measureMadeText, measureTextInClips } from './understanding/measure-text.ts';
import { openUnderstandingBench, type UnderstandingBench } from './understanding/understanding-bench.ts';

/*
 * npm run -s report:understanding runs what understands films over material whose truth is known, and prints a line of JSON for each: how
 * much it finds, how much of that is right, how many seconds of film it takes in a second, and the most megabytes that one of its processes
 * holds. With `-- --media FOLDER` it takes the folder's films, by the truth in its videos-open.jsonl; a word or two name the steps that are
 * measured, where that is not all.
 */
type Measure = (bench: UnderstandingBench) => Promise<readonly object[]>;

/** By their steps; those of clips take any footage that comes with a truth. */
const measures: readonly { readonly step: string; readonly ofClips: boolean; readonly measure: Measure }[] = [
  { step: 'shots', ofClips: false, measure: async (bench) => [await measureShots(bench)] },
  { step: 'text', ofClips: false, measure: async (bench) => [await measureMadeText(bench)] },
  { step: 'people', ofClips: false, measure: ({ media: footage }) => measurePeopleAndLabels(footage) },
  { step: 'brands', ofClips: false, measure: async ({ media: footage }) => [measureBrands(footage)] },
  { step: 'language', ofClips: false, measure: ({ media: footage }) => measureLanguage(footage) },
  { step: 'meaning', ofClips: false, measure: async () => [await measureMeaning()] },
  { step: 'speech', ofClips: true, measure: ({ media: footage }) => measureHearing(footage) },
  { step: 'text', ofClips: true, measure: async (bench) => [await measureTextInClips(bench)] },
];

const { values, positionals } = parseArgs({ options: { media: { type: 'string' } }, allowPositionals: true });
const media = values.media === undefined ? sharedMedia() : resolve(values.media);
if (!media) {
  process.stderr.write('There is no shared footage to measure by; RUSHES_TEST_MEDIA names its folder.\n');
  process.exit(1);
}
await using bench = await openUnderstandingBench(media);
for (const { step, ofClips, measure } of measures) {
  if ((values.media !== undefined && !ofClips) || (positionals.length > 0 && !positionals.includes(step))) continue;
  // What fails on one machine is no reason to measure nothing else.
  const lines = await measure(bench).catch((error: unknown) => {
    process.exitCode = 1;
    return [{ step, failed: errorMessageOf(error) }];
  });
  for (const line of lines) process.stdout.write(`${JSON.stringify(line)}\n`);
}
