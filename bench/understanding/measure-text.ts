import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { findMoments } from '#domain/moments/find-moments.ts';
import type { Moment } from '#domain/moments/moment.ts';
import { text } from '#ingest/steps/text.ts';
import { filmsWithLowerThirds } from './lower-thirds.ts';
import { scoreWords, type TrueText, type WordScore, wordFigures } from './score-words.ts';
import { realTimeFactor, type UnderstandingBench, type Understood } from './understanding-bench.ts';

/** Lower thirds burnt into clips: their words, each told within a second of its start. */
export async function measureMadeText(bench: UnderstandingBench): Promise<object> {
  const films: Understood[] = [];
  const scores: WordScore[] = [];
  const texts = 300;
  for await (const { path, texts: truth } of filmsWithLowerThirds(bench.folder, { media: bench.media, texts, seed: 11 })) {
    const film = await bench.understand(path, 'text');
    films.push(film);
    scores.push(scoreWords(truth, await textsOf(bench, film), { isStartTold: true }));
    await rm(path);
  }
  return { step: 'text', set: 'made', ...wordFigures(scores), ...costOf(films), texts };
}

/** Footage whose truth says what is written in it. */
export async function measureTextInClips(bench: UnderstandingBench): Promise<object> {
  const films: Understood[] = [];
  const scores: WordScore[] = [];
  for (const { file, truth } of clipsWithText(bench.media)) {
    const film = await bench.understand(join(bench.media, file), 'text');
    films.push(film);
    scores.push(scoreWords(truth, await textsOf(bench, film), { isStartTold: false }));
  }
  const [extraWords, missedWords] = [scores.flatMap(({ extra }) => extra), scores.flatMap(({ missed }) => missed)];
  return { step: 'text', set: 'clips', ...wordFigures(scores), ...costOf(films), clips: films.length, missedWords, extraWords };
}

async function textsOf({ pool }: UnderstandingBench, { id }: Understood): Promise<Moment[]> {
  return (await findMoments(pool, id)).filter(({ kind }) => kind === 'Ocr');
}

function costOf(films: readonly Understood[]) {
  const peakRssMB = Math.max(0, ...films.map(({ result }) => text.Result.parse(result).peakMegabytes));
  return { realTimeFactor: realTimeFactor(films), peakRssMB };
}

const Written = z.object({ start: z.number(), end: z.number(), text: z.string() });
const Clip = z.object({
  id: z.string(),
  file: z.string(),
  durationSeconds: z.number(),
  truth: z.object({
    onScreen: z.array(Written).optional(),
    spoken: z.array(Written.extend({ speaker: z.string().optional() })).optional(),
  }),
});

/** Those in which something is written that stands still; of the landing of Apollo 11 the picture shows what is said, and who says it. */
function clipsWithText(media: string): { file: string; truth: TrueText[] }[] {
  const lines = readFileSync(join(media, 'videos-open.jsonl'), 'utf8').trim().split('\n');
  const clips = lines.map((line) => Clip.parse(JSON.parse(line)));
  const withTruth = clips.map(({ id, file, durationSeconds, truth }) => ({
    file,
    truth:
      id === 'clip-apollo11-landing-revoiced-long'
        ? [
            { start: 0, end: durationSeconds, text: 'APOLLO 11 LANDING' },
            ...(truth.spoken ?? []).map(({ speaker = '', ...line }) => ({ ...line, text: `${speaker} ${line.text}` })),
          ]
        : (truth.onScreen ?? []).filter((one) => !/^[\d:;.]+$/.test(one.text)),
  }));
  return withTruth.filter(({ truth }) => truth.length > 0);
}
