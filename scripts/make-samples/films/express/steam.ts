import { colour } from '../../light/colour.ts';
import { coverPuff } from '../../light/cover-puff.ts';
import { noise } from '../../light/noise.ts';
import type { Picture } from '../../light/picture.ts';

const steam = colour('#e8e6e0', 0.62);

/** A plume of steam: each puff leaves the chimney where it stood then, grows, slows down and thins out. */
export function paintSteam(
  picture: Picture,
  plume: { chimney: (seconds: number) => { u: number; v: number }; seconds: number; size: number; strength: number },
): void {
  const lifeSeconds = 4.5;
  const puffs = 44;
  for (let puff = puffs; puff >= 0; puff--) {
    const born = (Math.floor((plume.seconds * puffs) / lifeSeconds) - puff) * (lifeSeconds / puffs);
    const age = (plume.seconds - born) / lifeSeconds;
    if (age < 0 || age > 1) continue;
    const from = plume.chimney(born);
    const wander = noise(born * 7, 3) - 0.5;
    const at = {
      u: from.u + wander * plume.size * age * 1.4,
      v: from.v - plume.size * (0.3 + 1.5 * Math.sqrt(age)) + (noise(born * 5, 9) - 0.5) * plume.size * age,
      radius: plume.size * (0.28 + age * 1.25),
    };
    coverPuff(picture, at, { light: steam, cover: plume.strength * (1 - age) ** 1.4 * Math.min(1, age * 14) });
  }
}
