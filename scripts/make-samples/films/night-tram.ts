import type { Film } from '../film.ts';
import { arrival } from './tram/arrival.ts';
import { atTheStop } from './tram/at-the-stop.ts';
import { departure } from './tram/departure.ts';

export const nightTram: Film = {
  title: 'Night tram, line 28',
  fileName: 'Night tram, line 28',
  width: 1280,
  height: 720,
  quality: 33,
  shots: [arrival, atTheStop, departure],
  sound: {
    voice: 'rms',
    stretch: 1.05,
    bed: 'anoisesrc=color=pink:amplitude=0.3:seed=5,highpass=f=200,lowpass=f=3200,tremolo=f=0.25:d=0.3,volume=0.2',
    narration: [
      { atSeconds: 0.8, parts: ['Line twenty eight runs down to the harbour, and this is its last', 'tram home tonight.'] },
      { atSeconds: 6.6, parts: ['The driver knows every window on this street.'] },
      {
        atSeconds: 11.4,
        parts: ['She stops at Cafe Orion even when nobody waves, because somebody', 'always comes running through the rain.'],
      },
      { atSeconds: 22, parts: ['Twelve minutes to one.'] },
      { atSeconds: 24.6, parts: ['The lights go out behind her, shop by shop, and the rails keep', 'humming for a while.'] },
    ],
  },
  details: {
    description: 'The last tram of the night through a wet street of shop signs, from its arrival to its red lamps.',
    recordedAt: '2024-03-02',
    place: 'Norvik old town',
    people: [{ name: 'Ines Caldeira', at: [7, 11] }],
    labels: [
      { name: 'tram', at: [2, 12, 21] },
      { name: 'street', at: [0, 21] },
      { name: 'rain', at: [0, 11, 21] },
      { name: 'umbrella', at: [11] },
      { name: 'neon', at: [0, 11, 21] },
    ],
    brands: [{ name: 'Cafe Orion', at: [0, 11] }],
  },
};
