import { z } from 'zod';
import { limits } from './limits.ts';

/** A repeated name arrives as a list, a single one as text. */
const texts = z.union([z.string(), z.array(z.string())]).transform((value) => (Array.isArray(value) ? value : [value]));
const digits = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value <= max, `must be at most ${max}`);
const rfc3339 = z.iso.datetime({ offset: true });

/** Input of `Videos/Search`: unknown parameters are ignored, bad ones are refused. */
export const SearchVideosInput = z.object({
  location: z.string(),
  account: z.string(),
  query: texts.optional(),
  id: texts.optional(),
  externalId: texts.optional(),
  state: texts.optional(),
  privacy: texts.optional(),
  owner: texts.optional(),
  face: texts.optional(),
  textScope: texts.optional(),
  language: texts.optional(),
  createdAfter: rfc3339.optional(),
  createdBefore: rfc3339.optional(),
  pageSize: digits(Number.MAX_SAFE_INTEGER).optional(),
  skip: digits(limits.skipMax).optional(),
});
export type SearchVideosInput = z.output<typeof SearchVideosInput>;

export const ListVideosInput = SearchVideosInput.pick({
  location: true,
  account: true,
  createdAfter: true,
  createdBefore: true,
  pageSize: true,
  skip: true,
});

/** The older path has no location and account in it. */
export const PartnerSearchInput = SearchVideosInput.omit({ location: true, account: true });

export const VideoIndexInput = z.object({
  location: z.string(),
  account: z.string(),
  id: z.string(),
  language: z.string().optional(),
  includeStreamingUrls: z.string().optional(),
});
