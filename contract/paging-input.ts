import { z } from 'zod';
import { limits } from './limits.ts';

/** A whole number of an address, between two bounds. */
export const digits = (range: { min: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= range.min && value <= range.max, `must be between ${range.min} and ${range.max}`);

/** Which piece of a list of ours: `skip` rows are left out, at most `pageSize` come (100 when not said). */
export const pageInput = {
  skip: digits({ min: 0, max: limits.skipMax }).default(0),
  pageSize: digits({ min: 1, max: limits.pageSizeMax }).default(limits.pageSizeMax),
};

/** Where the next piece of a list begins, and whether there is none. */
export const NextRows = z.object({ skip: z.number().int(), done: z.boolean() });
