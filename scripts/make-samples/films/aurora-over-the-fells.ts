import type { Film } from '../film.ts';
import { crownOverhead } from './aurora/crown-overhead.ts';
import { fellsAtNight } from './aurora/fells-at-night.ts';
import { mirrorLake } from './aurora/mirror-lake.ts';

export const auroraOverTheFells: Film = {
  title: 'Aurora over the fells',
  fileName: 'Aurora over the fells',
  width: 1280,
  height: 720,
  quality: 30,
  shots: [fellsAtNight, mirrorLake, crownOverhead],
  details: {
    description: 'Northern lights over a cabin, a lake and the tops of the spruces. A silent film: it has no sound track.',
    recordedAt: '2023-02-11',
    place: 'Kilpa fell',
    labels: [
      { name: 'aurora', at: [0, 10, 19] },
      { name: 'cabin', at: [0] },
      { name: 'lake', at: [10] },
      { name: 'forest', at: [10, 19] },
      { name: 'snow', at: [0] },
    ],
  },
};
