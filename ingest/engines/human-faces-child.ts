import { overlapOf, type Place } from '#domain/moments/faces.ts';
import { doChildJob } from '../tools/child-job.ts';
import { cutSquare, type Square } from './cut-square.ts';
import { type Look, openModel, startModels } from './graph-model.ts';
import { FacesJob, type SeenFace } from './human-faces.ts';
import { changeSinceBefore, type RawPicture, readPictures } from './raw-pictures.ts';

/** Faces smaller than this, in pixels of the picture, are not looked for. */
const smallestPx = 32;
/** A model that finds faces anywhere, drawn and real, has to be this sure, and one that only knows faces this one. */
const [foundMin, sureMin] = [0.6, 0.8];
/** The widest square in which faces of about 40 pixels are still found, and how much of it the next one shows again. */
const [squarePx, sharedPx] = [720, 80];
const [meshSide, embeddingSide] = [192, 224];
/** A face that stands where it stood is told from others once in so many pictures. */
const embedEvery = 4;
/** By how much two places overlap that show the same face of one picture, and one that has hardly moved since the picture before. */
const [sameFaceMin, standsMin] = [0.3, 0.5];
/** How much more than the face is looked at to tell it from others. */
const embeddedTimes = 1.3;
const embeddingLength = 1_024;

/** BlazeFace looks at squares of so many pixels a side. */
const blazeFaceSide = 256;

/** Where it looks, in the order of its answers: two boxes in each place of a fine grid, six in each of a coarse one. */
const places = [
  { step: 16, boxes: 2 },
  { step: 32, boxes: 6 },
].flatMap(({ step, boxes }) => {
  const along = blazeFaceSide / step;
  return Array.from({ length: along * along * boxes }, (_, n) => {
    const place = Math.floor(n / boxes);
    return { x: ((place % along) + 0.5) * step, y: (Math.floor(place / along) + 0.5) * step };
  });
});
const [fine, coarse] = [512, 384];
/** Of a box: its middle and its size, then both eyes and four more points of the face. */
const numbersPerBox = 16;

/** A face in a square picture of `blazeFaceSide` pixels, in those. */
interface FoundFace {
  readonly place: Place;
  /** 0 to 1. */
  readonly score: number;
  /** How far its eyes lie off the horizontal, in radians. */
  readonly turned: number;
}

await doChildJob(FacesJob, lookForFaces);

async function lookForFaces({ pictures, models }: FacesJob): Promise<SeenFace[][]> {
  await startModels();
  const eyes = {
    find: await openModel(models.blazeface, blazeFaceSide),
    makeSure: await openModel(models.facemesh, meshSide),
    tellApart: await openModel(models.faceres, embeddingSide),
  };
  const changeOf = changeSinceBefore();
  const seen: SeenFace[][] = [];
  let before: StandingFace[] = [];
  for await (const picture of readPictures(pictures)) {
    const change = changeOf(picture);
    // Who stands behind a cut where somebody stood before it may be somebody else.
    if (change !== 'none') before = facesOf(picture, eyes, change === 'whole' ? [] : before);
    else before = before.map((face) => ({ ...face, embedding: null, age: face.age + 1 }));
    seen.push(before.map(({ place, score, embedding }) => ({ place: toThousandths(place, picture), score, embedding })));
  }
  return seen;
}

interface Eyes {
  readonly find: Look;
  readonly makeSure: Look;
  readonly tellApart: Look;
}

interface StandingFace extends SeenFace {
  /** How many pictures ago its embedding was made. */
  readonly age: number;
}

function facesOf(picture: RawPicture, eyes: Eyes, before: readonly StandingFace[]): StandingFace[] {
  const found = squaresOf(picture)
    .flatMap((square) => findIn(picture, square, eyes.find))
    .toSorted((a, b) => b.score - a.score);
  const apart: FoundFace[] = [];
  for (const face of found) if (!apart.some(({ place }) => overlapOf(place, face.place) > sameFaceMin)) apart.push(face);
  return apart
    .filter((face) => isSureOf(picture, face, eyes.makeSure))
    .map(({ place, score, turned }) => {
      const standing = before.find((one) => overlapOf(one.place, place) >= standsMin);
      if (standing && standing.age + 1 < embedEvery) return { place, score, embedding: null, age: standing.age + 1 };
      return { place, score, embedding: embed(picture, { place, turned }, eyes.tellApart), age: 0 };
    });
}

/** The whole picture, and where it is large the squares that it falls into, so that small faces are large enough to be found. */
function squaresOf({ width, height }: RawPicture): Square[] {
  const side = Math.max(width, height);
  const whole = { left: (width - side) / 2, top: (height - side) / 2, side };
  if (side <= squarePx) return [whole];
  const starts = (length: number) => {
    const count = Math.max(1, Math.ceil((length - sharedPx) / (squarePx - sharedPx)));
    return Array.from({ length: count }, (_, n) => (count === 1 ? (length - squarePx) / 2 : ((length - squarePx) * n) / (count - 1)));
  };
  return [whole, ...starts(height).flatMap((top) => starts(width).map((left) => ({ left, top, side: squarePx })))];
}

function findIn(picture: RawPicture, square: Square, find: Look): FoundFace[] {
  const scale = square.side / blazeFaceSide;
  return findFacesIn(find, cutSquare(picture, square, blazeFaceSide), foundMin)
    .map(({ place: [left, top, width, height], ...face }) => ({
      ...face,
      place: [square.left + left * scale, square.top + top * scale, width * scale, height * scale] as const,
    }))
    .filter(({ place: [, , width] }) => width >= smallestPx);
}

/** Finds faces in a cut of `blazeFaceSide` pixels; the same one may be found several times. */
function findFacesIn(look: Look, cut: Float32Array, scoreMin: number): FoundFace[] {
  const found = look(cut.map((value) => value / 127.5 - 0.5));
  const logits = join(found.get(fine), found.get(coarse));
  const boxes = join(found.get(fine * numbersPerBox), found.get(coarse * numbersPerBox));
  return places.flatMap(({ x, y }, n) => {
    const score = 1 / (1 + Math.exp(-(logits[n] ?? 0)));
    if (score < scoreMin) return [];
    const [dx = 0, dy = 0, width = 0, height = 0, rightX = 0, rightY = 0, leftX = 0, leftY = 0] = boxes.subarray(n * numbersPerBox);
    const turned = Math.atan2(leftY - rightY, leftX - rightX);
    return [{ place: [x + dx - width / 2, y + dy - height / 2, width, height], score, turned }];
  });
}

function join(first: Float32Array | undefined, second: Float32Array | undefined): Float32Array {
  if (!first || !second) throw new Error('the model of faces answers in another shape');
  const both = new Float32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function isSureOf(picture: RawPicture, face: FoundFace, makeSure: Look): boolean {
  const cut = cutSquare(picture, squareAround(face, 1.5), meshSide);
  const [certainty = 0] = makeSure(cut.map((value) => value / 255)).get(1) ?? [];
  return certainty >= sureMin;
}

/** What tells a face from others: numbers that are alike for one person, each as a byte. */
function embed(picture: RawPicture, face: Pick<FoundFace, 'place' | 'turned'>, tellApart: Look): string {
  const cut = cutSquare(picture, { ...squareAround(face, embeddedTimes), turned: face.turned }, embeddingSide);
  const numbers = tellApart(cut).get(embeddingLength) ?? new Float32Array(embeddingLength);
  const largest = Math.max(...numbers, 1e-9);
  return Buffer.from(Uint8Array.from(numbers, (value) => Math.round((255 * Math.max(0, value)) / largest))).toString('base64');
}

/** The square around a face that is so many times as large. */
function squareAround({ place: [left, top, width, height] }: Pick<FoundFace, 'place'>, times: number): Square {
  const side = Math.max(width, height) * times;
  return { left: left + (width - side) / 2, top: top + (height - side) / 2, side };
}

function toThousandths([left, top, width, height]: Place, picture: RawPicture): Place {
  const across = (px: number) => Math.round((1_000 * px) / picture.width);
  const down = (px: number) => Math.round((1_000 * px) / picture.height);
  return [across(left), down(top), across(width), down(height)];
}
