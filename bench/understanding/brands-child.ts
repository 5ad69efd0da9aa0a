import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseBrandList } from '#domain/brands/brand-list.ts';
import { findBrands } from '#domain/brands/find-brands.ts';
import { ownPeakMB } from '../process-memory.ts';

/* Looks for the brands of a list, whose file it is told, in moments that it is given, and prints the most megabytes that it held. */
findBrands(JSON.parse(await text(process.stdin)), parseBrandList(readFileSync(process.argv[2] ?? '', 'utf8')));
process.stdout.write(`${ownPeakMB()}\n`);
