import type { Film } from '../film.ts';
import { auroraOverTheFells } from './aurora-over-the-fells.ts';
import { dunesInTheWind } from './dunes-in-the-wind.ts';
import { eveningExpress } from './evening-express.ts';
import { harbourAtDusk } from './harbour-at-dusk.ts';
import { lighthouseWeather } from './lighthouse-weather.ts';
import { nightTram } from './night-tram.ts';
import { rainOnTheWindow } from './rain-on-the-window.ts';
import { underThePier } from './under-the-pier.ts';

export const films: Film[] = [
  harbourAtDusk,
  auroraOverTheFells,
  rainOnTheWindow,
  underThePier,
  nightTram,
  dunesInTheWind,
  lighthouseWeather,
  eveningExpress,
];
