import type { Place } from '#domain/moments/faces.ts';
import { doChildJob } from '../tools/child-job.ts';
import { cutSquare } from './cut-square.ts';
import { type Look, openModel, startModels } from './graph-model.ts';
import { LabelsJob, labelSide, type SeenThing } from './human-labels.ts';
import { changeSinceBefore, type RawPicture, readPictures } from './raw-pictures.ts';

/** Below this it is mostly something else. */
const scoreMin = 0.4;
/** Left, top, right and bottom in pixels, how sure it is, and the number of the kind. */
const numbersPerThing = 6;

/** The kinds of COCO, in its order. */
const kinds = (
  'person,bicycle,car,motorcycle,airplane,bus,train,truck,boat,traffic light,fire hydrant,stop sign,parking meter,bench,bird,cat,dog,' +
  'horse,sheep,cow,elephant,bear,zebra,giraffe,backpack,umbrella,handbag,tie,suitcase,frisbee,skis,snowboard,sports ball,kite,' +
  'baseball bat,baseball glove,skateboard,surfboard,tennis racket,bottle,wine glass,cup,fork,knife,spoon,bowl,banana,apple,sandwich,' +
  'orange,broccoli,carrot,hot dog,pizza,donut,cake,chair,couch,potted plant,bed,dining table,toilet,tv,laptop,mouse,remote,keyboard,' +
  'cell phone,microwave,oven,toaster,sink,refrigerator,book,clock,vase,scissors,teddy bear,hair drier,toothbrush'
).split(',');

await doChildJob(LabelsJob, async ({ pictures, model }) => {
  await startModels();
  const look = await openModel(model, labelSide);
  const changeOf = changeSinceBefore();
  const seen: SeenThing[][] = [];
  for await (const picture of readPictures(pictures))
    seen.push(changeOf(picture) === 'none' ? (seen.at(-1) ?? []) : thingsIn(look, picture));
  return seen;
});

function thingsIn(look: Look, picture: RawPicture): SeenThing[] {
  const side = Math.max(picture.width, picture.height);
  const square = { left: (picture.width - side) / 2, top: (picture.height - side) / 2, side };
  const [found = new Float32Array()] = look(cutSquare(picture, square, labelSide), 'tower_0/detections').values();
  const scale = side / labelSide;
  const inThousandths = (px: number, length: number) => Math.round((1_000 * px) / length);
  return Array.from({ length: found.length / numbersPerThing }, (_, n): SeenThing | undefined => {
    const [left = 0, top = 0, right = 0, bottom = 0, score = 0, kind = -1] = found.subarray(n * numbersPerThing);
    const name = kinds[Math.round(kind)];
    if (score < scoreMin || name === undefined) return undefined;
    const place: Place = [
      inThousandths(square.left + left * scale, picture.width),
      inThousandths(square.top + top * scale, picture.height),
      inThousandths((right - left) * scale, picture.width),
      inThousandths((bottom - top) * scale, picture.height),
    ];
    return { name, place, score };
  }).filter((thing) => thing !== undefined);
}
