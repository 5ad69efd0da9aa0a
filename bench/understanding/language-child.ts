import { text } from 'node:stream/consumers';
import { languageOf } from '#ingest/steps/language.ts';
import { ownPeakMB } from '../process-memory.ts';

/* Tells the language of lines that it is given, and prints the most megabytes that it held. */
await languageOf(JSON.parse(await text(process.stdin)));
process.stdout.write(`${ownPeakMB()}\n`);
