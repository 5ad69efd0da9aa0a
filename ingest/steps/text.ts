import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { serverLimits } from '#contract/limits.ts';
import { findShotStarts } from '#domain/moments/layers.ts';
import { type LeftOut, textsInFilm } from '../analysis/texts-in-film.ts';
import { EngineUsed, toEngineUsed } from '../engines/engine.ts';
import { paddleText } from '../engines/paddle-text.ts';
import { StretchRead, type TextReader } from '../engines/text-reader.ts';
import { fitInto, type Size, uprightSizeOf } from '../media/geometry.ts';
import { toPictureTrack } from '../media/media-plans.ts';
import { prepareOriginalInput } from '../original-input.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import type { MediaInput } from '../tools/media-tools.ts';
import { probe } from './probe.ts';
import { shots } from './shots.ts';

const TextResult = EngineUsed.extend({
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
const drawFactor = 4;
const engineFactor = 20;

/** Finds the texts that stand in the picture. */
export const text = makeTextStep(paddleText);

/** The step that reads with an engine. */
export function makeTextStep(engine: TextReader): Step<TextResult> {
  return {
    name: 'text',
    version: 1,
    needs: [probe],
    follows: [shots],
    optional: true,
    class: 'understood',
    share: 14,
    Result: TextResult,
    run: (context) => readFilm(context, engine),
  };
}

async function readFilm(context: StepContext, engine: TextReader): Promise<StepOutcome<TextResult>> {
  const { description, durationInSeconds } = context.resultOf(probe);
  const { video, startSeconds } = description;
  if (!video) return { is: 'skipped', reason: 'There is no picture.', layers: [] };
  const everySeconds = Math.min(drawEverySeconds, durationInSeconds / readsMin);
  const shotStarts = (await findShotStarts(context.pool, context.video.id)).map((ms) => ms / 1_000);
  const source = { ...toPictureTrack(video), startSeconds };
  const stretches = await readInStretches(context, {
    engine,
    what: `${shotStarts.length} shots`,
    everySeconds,
    size: fitInto(uprightSizeOf(video), largest),
    draw: (input, stretch) => context.tools.drawPictures(input, { ...source, ...stretch }),
    secondsToRead: (stretch) => secondsToRead({ shotStarts, durationInSeconds }, stretch),
  });
  const { moments, leftOut } = textsInFilm(stretches, { everySeconds, durationInSeconds, engine: `${engine.name} ${engine.version}` });
  const sum = (count: (stretch: StretchRead) => number) => stretches.reduce((total, stretch) => total + count(stretch), 0);
  const result = {
    texts: moments.length,
    picturesRead: sum(({ picturesRead }) => picturesRead),
    linesRead: sum(({ linesRead }) => linesRead),
    peakMegabytes: Math.max(0, ...stretches.map(({ peakMegabytes }) => peakMegabytes)),
    ...toEngineUsed(engine),
  };
  const places = moments.map(({ place }) => place);
  return { is: 'done', result, remark: remarkOn(leftOut), layers: [{ name: 'text', moments, places }] };
}

/** A stretch of the film as it is drawn. */
interface DrawnStretch extends Size {
  readonly fromSeconds: number;
  readonly lengthSeconds: number;
  readonly everySeconds: number;
  readonly path: string;
}

interface Reading {
  readonly engine: TextReader;
  /** For the names of its pieces: what it depends on beside the film. */
  readonly what: string;
  readonly everySeconds: number;
  readonly size: Size;
  readonly draw: (input: MediaInput, stretch: DrawnStretch) => Promise<void>;
  /** The seconds whose pictures are read whatever they show. */
  readonly secondsToRead: (stretch: DrawnStretch) => number[];
}

/** Draws and reads a film piece by piece; the pictures of a stretch are gone when it has been read. */
export async function readInStretches(context: StepContext, reading: Reading): Promise<StretchRead[]> {
  const { durationInSeconds } = context.resultOf(probe);
  const stretches: StretchRead[] = [];
  for (let fromSeconds = 0; fromSeconds < durationInSeconds; fromSeconds += stretchSeconds) {
    const lengthSeconds = Math.min(stretchSeconds, durationInSeconds - fromSeconds);
    const name = `from ${fromSeconds} by ${reading.engine.version}, ${reading.what}`;
    stretches.push(await context.piece(name, StretchRead, () => readStretch(context, reading, { fromSeconds, lengthSeconds })));
  }
  return stretches;
}

async function readStretch(
  context: StepContext,
  { engine, size, everySeconds, draw, secondsToRead: secondsOf }: Reading,
  part: { fromSeconds: number; lengthSeconds: number },
): Promise<StretchRead> {
  const { durationInSeconds } = context.resultOf(probe);
  const stretch = { ...part, ...size, everySeconds, path: join(context.workFolder, 'pictures.rgb') };
  // Where pictures can be entered only from far before, it decodes much of the film.
  const film = await prepareOriginalInput(context, { durationInSeconds, factor: drawFactor });
  await draw({ ...film, onSecond: undefined }, stretch);
  const pictures = {
    ...(await prepareOriginalInput(context, { durationInSeconds, factor: engineFactor, silenceMs: serverLimits.readerSilenceMaxMs })),
    path: stretch.path,
  };
  const read = await engine.read(context.runEngine, pictures, { ...stretch, readAtSeconds: secondsOf(stretch) });
  await rm(stretch.path);
  return read;
}

/** The seconds of a stretch whose pictures must be read: where a shot begins, every so often from there, and the last one. */
function secondsToRead(
  film: { shotStarts: readonly number[]; durationInSeconds: number },
  { fromSeconds, lengthSeconds, everySeconds }: DrawnStretch,
): number[] {
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
  return parts.length > 0 ? `Ignored: ${parts.join(', ')}.` : null;
}
