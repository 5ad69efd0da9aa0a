import { z } from 'zod';
import { limits } from './limits.ts';
import { wholeNumberBetween } from './paging-input.ts';

/** A query that visitors were not served well by. Nothing tells who asked. */
export const UnfoundQuery = z.object({
  text: z.string(),
  /** How often it found nothing. */
  foundNothing: z.number().int(),
  /** How often it found something and nothing of that was opened; nought until it happened three times. */
  openedNothing: z.number().int(),
  lastAt: z.string(),
});
export type UnfoundQuery = z.infer<typeof UnfoundQuery>;

export const ListUnfoundInput = z.object({
  skip: wholeNumberBetween({ min: 0, max: limits.skipMax }).default(0),
  pageSize: wholeNumberBetween({ min: 1, max: limits.pageSizeMax }).default(limits.pageSizeMax),
});

export const UnfoundPage = z.object({ queries: z.array(UnfoundQuery), total: z.number().int() });
export type UnfoundPage = z.infer<typeof UnfoundPage>;

export const DismissUnfoundInput = z.object({ text: z.string().max(2 * limits.queryMaxCodePoints) });

/** The query of whose answer something was opened. */
export const SearchOpenedInput = z.object({ query: z.string().max(2 * limits.queryMaxCodePoints) });
