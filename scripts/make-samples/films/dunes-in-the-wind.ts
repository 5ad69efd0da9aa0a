import type { Film } from '../film.ts';
import { caravan } from './dunes/caravan.ts';
import { nightCamp } from './dunes/night-camp.ts';
import { overTheDunes } from './dunes/over-the-dunes.ts';

export const dunesInTheWind: Film = {
  title: 'Dunes in the wind',
  fileName: 'Dunes in the wind',
  width: 1280,
  height: 720,
  quality: 31,
  shots: [overTheDunes, caravan, nightCamp],
  sound: {
    voice: 'awb',
    stretch: 1.05,
    bed: 'anoisesrc=color=pink:amplitude=0.4:seed=21,highpass=f=180,lowpass=f=1400,tremolo=f=0.13:d=0.8,volume=0.3',
    narration: [
      { atSeconds: 0.8, parts: ['The wind moves a dune about one hand in a day.'] },
      { atSeconds: 5, parts: ['On the salt road people steer by the stars, and', 'by the taste of the wells.'] },
      { atSeconds: 11.6, parts: ['The camels smell water long before anybody can', 'read the sign.'] },
      { atSeconds: 17, parts: ['They are never wrong.'] },
      { atSeconds: 21.6, parts: ['At night the sand gives back the', 'heat of the day, and the old songs last longer than the fire.'] },
    ],
  },
  details: {
    description: 'The salt road from the air, a caravan in front of the sun, and the camp at night.',
    recordedAt: '2022-04-30',
    place: 'The salt road',
    people: [{ name: 'Yusra Benali', at: [11] }],
    labels: [
      { name: 'dunes', at: [0, 11, 21] },
      { name: 'camel', at: [11] },
      { name: 'sunset', at: [0, 11] },
      { name: 'campfire', at: [21] },
      { name: 'stars', at: [21] },
    ],
  },
};
