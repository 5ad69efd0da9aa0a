import { Buffer } from 'node:buffer';
import type { Picture } from './picture.ts';
import { seededRandom } from './seeded-random.ts';

/** How the negative is printed. `grain` is in steps of 255; half a step only hides the bands of a gradient. */
export type Print = { exposure?: number; vignette?: number; grain?: number; monochrome?: boolean };

const tableSize = 8192;
const brightest = 4;
const table = Float32Array.from({ length: tableSize }, (_, step) => shoulder((step / tableSize) * brightest) ** (1 / 2.2) * 255);
const grains = Float32Array.from({ length: 1 << 16 }, grainMaker());

/** Turns light into the bytes of an RGB frame. */
export function develop(picture: Picture, print: Print, frame: { number: number; brightness: number }): Buffer {
  const { width, height, light } = picture;
  const bytes = Buffer.allocUnsafe(width * height * 3);
  const grain = print.grain ?? 0.6;
  const vignette = print.vignette ?? 0.35;
  const start = Math.floor(seededRandom(frame.number)() * 65536);
  for (let y = 0; y < height; y++) {
    const dy = (y / height - 0.5) * 2;
    for (let x = 0; x < width; x++) {
      const dx = (x / width - 0.5) * 2;
      const strength = frame.brightness * (print.exposure ?? 1) * (1 - (vignette * (dx * dx + dy * dy)) / 2);
      const at = (y * width + x) * 3;
      const speck = (grains[(start + at) & 65535] ?? 0) * grain;
      let r = light[at] ?? 0;
      let g = light[at + 1] ?? 0;
      let b = light[at + 2] ?? 0;
      if (print.monochrome) {
        const grey = r * 0.3 + g * 0.59 + b * 0.11;
        r = grey * 1.02;
        g = grey;
        b = grey * 0.95;
      }
      bytes[at] = tone(r * strength, speck);
      bytes[at + 1] = tone(g * strength, speck);
      bytes[at + 2] = tone(b * strength, speck);
    }
  }
  return bytes;
}

function tone(light: number, speck: number): number {
  const step = (light * tableSize) / brightest;
  const value = (step >= tableSize ? 255 : (table[step < 0 ? 0 : step | 0] ?? 0)) + speck + 0.5;
  return value < 0 ? 0 : value > 255 ? 255 : value | 0;
}

/** Keeps colours as chosen up to a half and rolls the brightest off instead of clipping them. */
function shoulder(light: number): number {
  return light < 0.5 ? light : 0.5 + 0.5 * (1 - Math.exp(-(light - 0.5) / 0.5));
}

function grainMaker(): () => number {
  const random = seededRandom(1969);
  return () => random() + random() + random() - 1.5;
}
