import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Engine } from './engine.ts';

const require = createRequire(import.meta.url);
const folder = join(dirname(require.resolve('@vladmandic/human')), '..', 'models');

/** By what the models of this package are called in it. */
const sums = {
  'blazeface.json': 'cd7bbfc078270572beb39f9e5ae67aadbd50b5e67cff37e6d4f6b3ea39312e5f',
  'blazeface.bin': 'dc9a97fdc50bc43216554bdd69aa3e7b9361a519ee7bdd996a2f69a98a6f9b72',
  'facemesh.json': 'b60ca26f404724f43bd2b1575761d8265180e1f053cc0731caa68462927309e7',
  'facemesh.bin': '3826da640b0a3021161605369ee6af293f75d518040355b960ec71a3390c1c0b',
  'faceres.json': '5b83d49c0385d2e68a05122441b94226313677cae9fcc40b9587ad50079eb4df',
  'faceres.bin': '2c7d2d62b76c97528b736527aa09d310ea71743c9e3e79fb6c62d4b2d73af79b',
  'centernet.json': 'bfb942eaacc5becf738d536663bc4580a0ae9e560722306e6d4dd7fe4a09de05',
  'centernet.bin': '1b635a15009071f506f9f2b3519b31c072c534888989f30d269ffd44734ef7ef',
} as const;

const origin = { version: '3.3.6', licence: 'MIT', source: '@vladmandic/human, run by TensorFlow.js' };

/** Finds faces, makes sure of them, and tells one from another. */
export const faceEngine: Engine = {
  name: 'BlazeFace, FaceMesh, FaceRes',
  ...origin,
  goodAt:
    'Faces of 40 pixels or more that look at the camera or half aside. On our clips: no false faces, and no two people mistaken for one.',
  models: filesOf('blazeface', 'facemesh', 'faceres'),
};

/** Finds things of the eighty kinds of COCO. */
export const labelEngine: Engine = {
  name: 'CenterNet',
  ...origin,
  goodAt:
    'Large, plain things: people, clocks, computer mice. On our videos, 9 in 10 of its labels were right, and it missed more than half of the things shown.',
  models: filesOf('centernet'),
};

type ModelName = keyof typeof sums extends `${infer Name}.${'json' | 'bin'}` ? Name : never;

/** Where the description of a model lies; its numbers lie beside it. */
export function toModelPath(name: ModelName): string {
  return join(folder, `${name}.json`);
}

function filesOf(...names: readonly ModelName[]): Engine['models'] {
  const files = names.flatMap((name) => [`${name}.json`, `${name}.bin`] as const);
  return files.map((file) => ({ path: join(folder, file), sha256: sums[file] }));
}
