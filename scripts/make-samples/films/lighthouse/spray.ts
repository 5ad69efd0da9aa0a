import { colour } from '../../light/colour.ts';
import { coverPuff } from '../../light/cover-puff.ts';
import type { Picture } from '../../light/picture.ts';
import { seededRandom } from '../../light/seeded-random.ts';

/** A sea that breaks on the rock every few seconds and throws its water up and to leeward. */
export function paintSpray(picture: Picture, { u, v, seconds }: { u: number; v: number; seconds: number }): void {
  const beat = 3.4;
  const since = seconds % beat;
  const random = seededRandom(Math.floor(seconds / beat) + 40);
  const force = 0.7 + random() * 0.5;
  for (let drop = 0; drop < 80; drop++) {
    const speed = 0.12 + random() * 0.3 * force;
    const lean = (random() - 0.3) * 0.32;
    const age = since * (0.8 + random() * 0.4);
    const rising = speed * age - 0.16 * age * age;
    const fade = Math.max(0, 1 - age / 1.9);
    const radius = 0.012 + age * 0.035;
    coverPuff(
      picture,
      { u: u + lean * age + random() * 0.1, v: v - rising, radius },
      { light: colour('#8fa0a6', 0.6), cover: 0.3 * fade * force },
    );
  }
}
