import type { Film } from '../film.ts';
import { betweenThePosts } from './pier/between-the-posts.ts';
import { jellyfishGarden } from './pier/jellyfish-garden.ts';
import { lookingUp } from './pier/looking-up.ts';

export const underThePier: Film = {
  title: 'Under the pier',
  fileName: 'Under the pier',
  width: 1280,
  height: 720,
  quality: 30,
  shots: [betweenThePosts, lookingUp, jellyfishGarden],
  sound: {
    voice: 'rms',
    stretch: 1.05,
    bed: 'anoisesrc=color=brown:amplitude=0.6:seed=11,lowpass=f=260,tremolo=f=0.17:d=0.5,volume=0.4',
    narration: [
      { atSeconds: 0.7, parts: ['Four metres under pier seven the noise of the harbour stops.'] },
      { atSeconds: 5.6, parts: ['The herring come in with the tide, and they keep close to the posts.'] },
      { atSeconds: 11.4, parts: ['Look up, and the whole sky fits into one round', 'window, as wide as a table.'] },
      { atSeconds: 20.2, parts: ['In August the jellyfish rise', 'slowly past the last mark on the gauge.'] },
      { atSeconds: 26.6, parts: ['Nobody counts them.'] },
    ],
  },
  details: {
    description: 'A dive of half a minute: light between the posts, the sky from below, jellyfish in the weed.',
    recordedAt: '2024-08-21',
    place: 'Norvik harbour, pier 7',
    labels: [
      { name: 'underwater', at: [0, 11, 20] },
      { name: 'fish', at: [2, 11] },
      { name: 'boat', at: [13] },
      { name: 'jellyfish', at: [20] },
      { name: 'seaweed', at: [20] },
    ],
  },
};
