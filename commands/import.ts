import { parseArgs } from 'node:util';
import { readIngestConfig } from '#ingest/config.ts';
import { findFootageFiles } from '#ingest/footage/find-footage-files.ts';
import { importFootage } from '#ingest/footage/import-footage.ts';
import { importTranscripts } from '#ingest/footage/import-transcripts.ts';
import { openIngest } from '#ingest/open-ingest.ts';
import { untilFound, whileSomebodyWorks } from '#ingest/stand-in-worker.ts';
import { giveWay } from '#ingest/tools/give-way.ts';
import { log, print, runCommand } from './run-command.ts';

const usage = `Usage: npm run import -- PATH…                        files, or folders with everything below them
       npm run import -- --transcripts FILE.jsonl[.gz]   catalogue records without media`;

await runCommand(run);

/** Returns the exit code: 1 when anything could not be brought in. */
async function run(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { transcripts: { type: 'string', multiple: true } } });
  const transcripts = values.transcripts ?? [];
  if (positionals.length === 0 && transcripts.length === 0) {
    log(usage);
    return 1;
  }
  const files = await findFootageFiles(positionals);
  if (files.length === 0 && transcripts.length === 0) {
    log(`No footage found in ${positionals.join(', ')}.`);
    return 1;
  }
  giveWay();
  const ingest = await openIngest(readIngestConfig(), log);
  try {
    return await whileSomebodyWorks(ingest, log, async () => {
      let failures = 0;
      for (const file of transcripts) failures += await importTranscripts(ingest.context, file, print);
      if (files.length > 0) failures += await importFootage({ ...ingest.context, queue: ingest.queue }, files, print);
      await untilFound({ ...ingest.context, address: ingest.address, log });
      return failures > 0 ? 1 : 0;
    });
  } finally {
    await ingest.close();
  }
}
