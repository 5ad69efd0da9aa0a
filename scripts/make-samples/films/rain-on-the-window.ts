import type { Film } from '../film.ts';
import { afterTheRain } from './window/after-the-rain.ts';
import { backAtSix } from './window/back-at-six.ts';
import { hotelOrion } from './window/hotel-orion.ts';

export const rainOnTheWindow: Film = {
  title: 'Rain on the window',
  fileName: 'Rain on the window',
  width: 720,
  height: 1280,
  quality: 31,
  shots: [backAtSix, hotelOrion, afterTheRain],
  sound: {
    voice: 'slt',
    stretch: 1.15,
    bed: 'anoisesrc=color=pink:amplitude=0.3:seed=3,highpass=f=500,lowpass=f=5200,tremolo=f=0.2:d=0.25,volume=0.22',
    narration: [
      { atSeconds: 0.6, parts: ['It has rained since noon, and nobody is in a hurry.'] },
      { atSeconds: 5, parts: ['Somebody wrote on the glass with one finger,', 'back at six.'] },
      { atSeconds: 10.6, parts: ['If you look long enough through a single drop of', 'rain, every street lamp hangs upside down.'] },
      { atSeconds: 20, parts: ['Towards morning the clouds moved', 'on, and the kettle was still warm.'] },
    ],
  },
  details: {
    description: 'One window through a wet night: a message on the misted pane, the hotel across the street, and the morning after.',
    recordedAt: '2024-11-05',
    place: 'Norvik old town',
    labels: [
      { name: 'rain', at: [0, 10] },
      { name: 'window', at: [0, 10, 19] },
      { name: 'tram', at: [14] },
      { name: 'cup', at: [19] },
      { name: 'plant', at: [19] },
    ],
    brands: [{ name: 'Hotel Orion', at: [13] }],
  },
};
