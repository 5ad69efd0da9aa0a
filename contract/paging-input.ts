import { z } from 'zod';
import { limits } from './limits.ts';

/** A whole number of an address, between two bounds. */
export const wholeNumberBetween = (range: { min: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= range.min && value <= range.max, `must be between ${range.min} and ${range.max}`);

/** Which piece of a list of ours: `skip` rows are left out, at most `pageSize` come (100 when not said). */
export const pageInput = {
  skip: wholeNumberBetween({ min: 0, max: limits.skipMax }).default(0),
  pageSize: wholeNumberBetween({ min: 1, max: limits.pageSizeMax }).default(limits.pageSizeMax),
};

/** A row of a list with the latest first, by its place there: whatever comes or goes meanwhile, the next piece begins behind it. */
export interface ListedLast {
  /** Since 1970. */
  readonly atMicroseconds: number;
  readonly id: string;
}

/** The last row of the piece before, as it was given with that; nothing for the first piece. */
export const afterInput = z
  .string()
  .regex(/^\d{1,16}-[0-9a-z]{10}$/, 'must be what the page before gave')
  .transform((text): ListedLast => ({ atMicroseconds: Number(text.slice(0, -11)), id: text.slice(-10) }))
  .optional();

/** As the input of the next piece takes it. */
export function toAfterText({ atMicroseconds, id }: ListedLast): string {
  return `${atMicroseconds}-${id}`;
}

/** Where the next piece of a list begins, and whether there is none. */
export const NextRows = z.object({ skip: z.number().int(), done: z.boolean() });
