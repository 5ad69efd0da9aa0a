import type { Film } from '../film.ts';
import { norvikCentral } from './express/norvik-central.ts';
import { overTheViaduct } from './express/over-the-viaduct.ts';
import { windowSeat } from './express/window-seat.ts';

export const eveningExpress: Film = {
  title: 'Evening express (1969)',
  fileName: 'Evening express (1969)',
  width: 1280,
  height: 720,
  quality: 34,
  shots: [overTheViaduct, windowSeat, norvikCentral],
  sound: {
    voice: 'kal16',
    stretch: 1.1,
    bed: 'anoisesrc=color=brown:amplitude=0.6:seed=69,lowpass=f=600,tremolo=f=2.6:d=0.6,volume=0.3',
    narration: [
      { atSeconds: 1, parts: ['Every winter evening the express goes over the valley', 'bridge at half past five.'] },
      { atSeconds: 6.4, parts: ['Eleven arches, and not one of them has ever moved.'] },
      { atSeconds: 11.6, parts: ['Passengers are asked not to lean out, and to keep their', 'tickets ready for the inspector.'] },
      { atSeconds: 17.4, parts: ['Most of them look at the snow.'] },
      { atSeconds: 21.6, parts: ['Six minutes past six, Norvik Central.'] },
      { atSeconds: 25.2, parts: ['The train is on', 'time, and the tea is hot.'] },
    ],
  },
  details: {
    description: 'A black and white reel: the express on the viaduct, a window seat, and the arrival under the station clock.',
    recordedAt: '1969-01-17',
    place: 'Norvik Central',
    people: [{ name: 'Arvid Lunde', at: [11] }],
    labels: [
      { name: 'train', at: [0, 23] },
      { name: 'snow', at: [0, 11, 21] },
      { name: 'viaduct', at: [0] },
      { name: 'station', at: [21] },
      { name: 'clock', at: [21] },
    ],
    brands: [{ name: 'Norvik State Railways', at: [2] }],
  },
};
