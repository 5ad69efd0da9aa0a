import type { Film } from '../film.ts';
import { bellBuoy } from './lighthouse/bell-buoy.ts';
import { gale } from './lighthouse/gale.ts';
import { morningAfter } from './lighthouse/morning-after.ts';

export const lighthouseWeather: Film = {
  title: 'Lighthouse weather [RU-0042]',
  fileName: 'Lighthouse weather [RU-0042]',
  externalId: 'RU-0042',
  width: 1280,
  height: 720,
  quality: 33,
  shots: [gale, bellBuoy, morningAfter],
  sound: {
    voice: 'awb',
    stretch: 1.05,
    bed: 'anoisesrc=color=brown:amplitude=0.7:seed=42,lowpass=f=700,tremolo=f=0.15:d=0.75,volume=0.32',
    narration: [
      { atSeconds: 0.7, parts: ['Here is the weather for those at sea.'] },
      { atSeconds: 3.2, parts: ['Norvik, south west, force nine, with the barometer', 'falling since noon.'] },
      { atSeconds: 8, parts: ['The keeper counts the waves.'] },
      { atSeconds: 11.6, parts: ['Buoy seven rings by itself, and every seventh', 'wave goes over the lamp.'] },
      { atSeconds: 20.8, parts: ['By a quarter to eight the wind had blown itself', 'out, and the gulls came back for breakfast.'] },
    ],
  },
  details: {
    description: 'One gale as the station camera saw it: the lamp in the rain, buoy seven, and the morning after.',
    recordedAt: '2023-12-04',
    place: 'Norvik light',
    people: [{ name: 'Halvard Brekke', at: [8] }],
    labels: [
      { name: 'lighthouse', at: [0, 20] },
      { name: 'storm', at: [0, 11] },
      { name: 'lightning', at: [13, 16] },
      { name: 'buoy', at: [11] },
      { name: 'gulls', at: [20] },
      { name: 'sunrise', at: [20] },
    ],
  },
};
