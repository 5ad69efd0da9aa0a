import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { findShotStarts } from '#domain/videos/moments-of-video.ts';
import { type LeftOut, textsInFilm } from '../analysis/texts-in-film.ts';
import { paddleText } from '../engines/paddle-text.ts';
import { StretchRead, type TextReader } from '../engines/text-reader.ts';
import { fitInto, uprightSize } from '../media/geometry.ts';
import type { PicturesPlan } from '../media/media-plans.ts';
import { originalInput } from '../original-input.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { probe } from './probe.ts';
import { shots } from './shots.ts';

const TextResult = z.object({
  texts: z.number().int(),
  picturesRead: z.number().int(),
  linesRead: z.number().int(),
  /** The most memory that the engine held. */
  peakMegabytes: z.number(),
});
type TextResult = z.infer<typeof TextResult>;

/** Pictures are read every so often, and so many at least of every film; they are drawn more often, to see when a text comes and goes. */
const readEverySeconds = 2;
const readsMin = 10;
const drawEverySeconds = 0.5;
const stretchSeconds = 40;
const largest = { width: 1_280, height: 1_280 };
const timeoutFactor = 4;
const engineFactor = 20;
const silenceMs = 300_000;

/** Finds the texts that stand in the picture. */
export const text = textStep(paddleText);

/** The step that reads with an engine. */
export function textStep(engine: TextReader): Step<TextResult> {
  return {
    ...{ name: 'text', version: 1, needs: [probe], follows: [shots], optional: true, class: 'understood', share: 30 },
    Result: TextResult,
    run: (context) => readFilm(context, engine),
  };
}

async function readFilm(context: StepContext, engine: TextReader): Promise<StepOutcome<TextResult>> {
  const { description, durationInSeconds } = context.resultOf(probe);
  const { video, startSeconds } = description;
  if (!video) return { is: 'skipped', reason: 'There is no picture.' };
  const everySeconds = Math.min(drawEverySeconds, durationInSeconds / readsMin);
  const shotStarts = (await findShotStarts(context.pool, context.video.id)).map((ms) => ms / 1_000);
  const source = { stream: video.index, rotation: video.rotation, deinterlace: video.interlaced, startSeconds };
  const film = { engine, plan: { ...source, ...fitInto(uprightSize(video), largest), everySeconds }, durationInSeconds, shotStarts };
  const stretches: StretchRead[] = [];
  for (let fromSeconds = 0; fromSeconds < durationInSeconds; fromSeconds += stretchSeconds) {
    const name = `from ${fromSeconds} by ${engine.version}, ${shotStarts.length} shots`;
    stretches.push(await context.piece(name, StretchRead, () => readStretch(context, film, fromSeconds)));
  }
  const { moments, leftOut } = textsInFilm(stretches, { everySeconds, durationInSeconds, engine: `${engine.name} ${engine.version}` });
  const sum = (count: (stretch: StretchRead) => number) => stretches.reduce((total, stretch) => total + count(stretch), 0);
  const result = {
    texts: moments.length,
    picturesRead: sum(({ picturesRead }) => picturesRead),
    linesRead: sum(({ linesRead }) => linesRead),
    peakMegabytes: Math.max(0, ...stretches.map(({ peakMegabytes }) => peakMegabytes)),
  };
  const places = moments.map(({ place }) => place);
  return { is: 'done', result, remark: remarkOn(leftOut), layers: [{ name: 'text', moments, places }] };
}

interface FilmToRead {
  readonly engine: TextReader;
  readonly plan: Omit<PicturesPlan, 'fromSeconds' | 'lengthSeconds' | 'path'>;
  readonly durationInSeconds: number;
  readonly shotStarts: readonly number[];
}

async function readStretch(context: StepContext, film: FilmToRead, fromSeconds: number): Promise<StretchRead> {
  const { engine, plan, durationInSeconds } = film;
  const path = join(context.workFolder, 'pictures.rgb');
  const lengthSeconds = Math.min(stretchSeconds, durationInSeconds - fromSeconds);
  // Where pictures can be entered only from far before, it decodes much of the film.
  const input = { ...originalInput(context, { durationInSeconds, factor: timeoutFactor }), onSecond: undefined };
  await context.tools.drawPictures(input, { ...plan, fromSeconds, lengthSeconds, path });
  const { everySeconds, width, height } = plan;
  const stretch = { path, width, height, fromSeconds, everySeconds, readAtSeconds: secondsToRead(film, { fromSeconds, lengthSeconds }) };
  const pictures = { ...originalInput(context, { durationInSeconds, factor: engineFactor, silenceMs }), path };
  const read = await engine.read(context.runEngine, pictures, stretch);
  await rm(path);
  return read;
}

/** The seconds of a stretch whose pictures must be read: where a shot begins, every so often from there, and the last one. */
function secondsToRead(film: FilmToRead, { fromSeconds, lengthSeconds }: { fromSeconds: number; lengthSeconds: number }): number[] {
  const { everySeconds } = film.plan;
  const starts = new Set(film.shotStarts.map((second) => Math.ceil((second - fromSeconds) / everySeconds)));
  const every = Math.max(1, Math.round(Math.min(readEverySeconds, film.durationInSeconds / readsMin) / everySeconds));
  const last = Math.ceil(lengthSeconds / everySeconds) - 1;
  const seconds: number[] = [];
  let next = 0;
  for (let n = 0; n <= last; n++) {
    if (n < next && n !== last && !starts.has(n)) continue;
    seconds.push(fromSeconds + n * everySeconds);
    next = n + every;
  }
  return seconds;
}

function remarkOn({ clocks, small, loneCharacters, doubtful }: LeftOut): string | null {
  const said = [
    [clocks, 'running clock', 'running clocks'],
    [small, 'text too small', 'texts too small'],
    [loneCharacters, 'lone character', 'lone characters'],
    [doubtful, 'doubtful reading', 'doubtful readings'],
  ] as const;
  const parts = said.flatMap(([count, one, several]) => (count > 0 ? [`${count} ${count === 1 ? one : several}`] : []));
  return parts.length > 0 ? `Left out: ${parts.join(', ')}.` : null;
}
