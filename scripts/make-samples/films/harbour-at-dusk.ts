import type { Film } from '../film.ts';
import { containerCrane } from './harbour/container-crane.ts';
import { harbourMouth } from './harbour/harbour-mouth.ts';
import { quayAtDusk } from './harbour/quay-at-dusk.ts';

export const harbourAtDusk: Film = {
  title: 'Harbour at dusk',
  fileName: 'Harbour at dusk',
  width: 1280,
  height: 720,
  quality: 29,
  shots: [quayAtDusk, containerCrane, harbourMouth],
  sound: {
    voice: 'slt',
    stretch: 1.1,
    bed: 'anoisesrc=color=brown:amplitude=0.5:seed=7,lowpass=f=420,tremolo=f=0.14:d=0.7,volume=0.35',
    narration: [
      { atSeconds: 0.8, parts: ['At ten past six the cranes stopped,', 'and then the harbour lights came', 'on, one after another.'] },
      { atSeconds: 8, parts: ['A tug boat was the last to come home.'] },
      { atSeconds: 12.6, parts: ['On pier seven they set down the last container of the', 'day, and somebody switched on the sign.'] },
      { atSeconds: 21.6, parts: ['Red to port, and green to starboard.'] },
      { atSeconds: 25, parts: ['The night ferry leaves on the turn of the', 'tide, and the islands are not far.'] },
    ],
  },
  details: {
    description: 'Nightfall over an invented northern harbour: the lamps of the quay, the last container, the night ferry.',
    recordedAt: '2024-10-18',
    place: 'Norvik harbour',
    labels: [
      { name: 'harbour', at: [0, 21] },
      { name: 'boat', at: [0, 21] },
      { name: 'crane', at: [0, 12] },
      { name: 'sunset', at: [0] },
      { name: 'moon', at: [21] },
    ],
    brands: [
      { name: 'Norvik Cranes', at: [13] },
      { name: 'Orion Line', at: [23] },
    ],
  },
};
