/*
 * Steps: this table says which there are and in which order, step.ts what one is, a file in steps/ what it does. Going along the table, resuming and
 * retrying are run-steps' business; steps that look at pictures or listen ask engines/ and speech/.
 */
import type { Step } from './step.ts';
import { brands } from './steps/brands.ts';
import { captions } from './steps/captions.ts';
import { facts } from './steps/facts.ts';
import { frames } from './steps/frames.ts';
import { keywords } from './steps/keywords.ts';
import { labels } from './steps/labels.ts';
import { language } from './steps/language.ts';
import { meaning } from './steps/meaning.ts';
import { people } from './steps/people.ts';
import { pictureSubtitles } from './steps/picture-subtitles.ts';
import { probe } from './steps/probe.ts';
import { publish } from './steps/publish.ts';
import { largerRenditions, renditions } from './steps/renditions.ts';
import { shots } from './steps/shots.ts';
import { speech } from './steps/speech.ts';
import { poster, stills } from './steps/stills.ts';
import { text } from './steps/text.ts';
import { voice } from './steps/voice.ts';

/** Everything that is done with a film, in order: what a step needs stands before it. */
export const steps: readonly Step[] = [
  ...[facts, probe, stills, renditions, captions, publish],
  ...[largerRenditions, poster, frames, shots, voice, pictureSubtitles, speech, language, text, people, labels, brands, keywords, meaning],
];
