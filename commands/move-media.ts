import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { archiveFolder } from '#domain/files/archive-folder.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import { moveMedia } from '#domain/files/s3/move-media.ts';
import { openS3Store } from '#domain/files/s3/s3-store.ts';
import { type IngestConfig, readIngestConfig } from '#ingest/config.ts';
import { log, print, runCommand } from './run-command.ts';

const usage = 'npm run move-media -- to-store | to-folder';
const tellEveryMs = 5_000;

await runCommand(() => run(readIngestConfig(), parseArgs({ allowPositionals: true }).positionals));

/** Copies all media between the data folder and the store of RUSHES_S3_*, while the archive runs with the one that it has. */
async function run({ dataFolder, s3 }: IngestConfig, [where, ...more]: string[]): Promise<number> {
  if (more.length > 0 || (where !== 'to-store' && where !== 'to-folder')) {
    log(`Say where to: ${usage}`);
    return 1;
  }
  if (!s3) {
    log(
      'Name the store by RUSHES_S3_ENDPOINT, RUSHES_S3_BUCKET and its keys, for this command alone as long as the archive uses the folder.',
    );
    return 1;
  }
  const folder = archiveFolder(dataFolder);
  const [inFolder, inStore] = [openLocalStore(folder.root), openS3Store(s3, { folder: folder.copies })];
  const [from, to] = where === 'to-store' ? [inFolder, inStore] : [inStore, inFolder];
  let toldAt = Date.now();
  const tell = ({ files, bytes }: { files: number; bytes: number }) => {
    if (Date.now() - toldAt < tellEveryMs) return;
    toldAt = Date.now();
    print(`${files} files, ${megabytes(bytes)} so far`);
  };
  // What came while the others went over is few.
  for (;;) {
    const { copied, copiedBytes, kept, removed } = await moveMedia({ from, to, ledger: join(folder.root, `moved-${where}.jsonl`), tell });
    print(`${copied} files copied and compared (${megabytes(copiedBytes)}), ${kept} were there, ${removed} gone meanwhile.`);
    if (copied + removed === 0) break;
  }
  print(
    `Everything is there. Now stop the archive, run this once more for what came since, ${where === 'to-store' ? 'set' : 'take away'} RUSHES_S3_*, and start it again. Nothing was deleted where it came from.`,
  );
  return 0;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
