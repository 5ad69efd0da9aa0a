import { text } from 'node:stream/consumers';
import { tellLanguageOf } from '#ingest/analysis/language-of-text.ts';
import { ownPeakMB } from '../process-memory.ts';

/* Tells the language of lines that it is given, and prints the most megabytes that it held. */
await tellLanguageOf(JSON.parse(await text(process.stdin)));
process.stdout.write(`${ownPeakMB()}\n`);
