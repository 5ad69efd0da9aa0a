import type { Print } from '../../light/develop.ts';

export const oldPrint: Print = { monochrome: true, grain: 2.6, vignette: 0.6, exposure: 1.05 };
