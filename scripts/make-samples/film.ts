import type { Print } from './light/develop.ts';
import type { Picture } from './light/picture.ts';

/** Draws one frame; `seconds` counts from the start of the shot. */
type Draw = (picture: Picture, seconds: number) => void;
export type Shot = { lengthInSeconds: number; print: Print; draw: Draw };

/** A spoken sentence. Each part is one caption; a sentence in two parts runs over the border of two captions. */
export type Sentence = { atSeconds: number; parts: string[] };
type Voice = 'slt' | 'rms' | 'awb' | 'kal16';
/** `bed` is an ffmpeg source: wind, water, engines, everything under the voice. */
export type Sound = { voice: Voice; stretch: number; narration: Sentence[]; bed: string };

/** What the archive is told about the film; the shape of the `name.json` sidecar. */
type Details = {
  description: string;
  recordedAt: string;
  place: string;
  people?: Array<{ name: string; at: number[] }>;
  labels: Array<{ name: string; at: number[] }>;
  brands?: Array<{ name: string; at: number[] }>;
};

export type Film = {
  title: string;
  /** Without an ending; the title unless a code belongs to it. */
  fileName: string;
  externalId?: string;
  width: number;
  height: number;
  quality: number;
  shots: Shot[];
  /** None: the film has no sound track at all. */
  sound?: Sound;
  details: Details;
};

export const framesPerSecond = 24;
