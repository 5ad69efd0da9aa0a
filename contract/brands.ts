import { z } from 'zod';
import { limits } from './limits.ts';

/** The brands that films are looked through for: one a line. */
export const BrandList = z.object({
  list: z.string(),
  /** Another one whenever the list is. */
  version: z.string(),
});

/** Another list; `replaces` is the version that the editor saw. */
export const ReplaceBrandsInput = z.strictObject({ list: z.string().max(2 * limits.brandListMaxCharacters), replaces: z.string().max(64) });

/** The list as it is kept, and how many films are looked through again. */
export const BrandsReplaced = BrandList.extend({ films: z.number().int() });
