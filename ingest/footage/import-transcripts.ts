import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { Pool } from '#domain/db/database.ts';
import { writeBehind } from '#domain/db/write-behind.ts';
import type { FileStore } from '#domain/files/store.ts';
import { drawTitlePoster } from '#domain/files/title-poster.ts';
import { videoKeys } from '#domain/files/video-keys.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';

const batchLines = 20_000;
const batchRecords = 200;
/** One is packed while the database stores the other. */
const batchesAtOnce = 2;
const postersAtOnce = 16;

interface Counts {
  added: number;
  known: number;
  refused: number;
}

/** Publishes the catalogue records of a JSONL file, gzipped or not, in batches. Returns how many records could not be used. */
export async function importTranscripts(
  context: { pool: Pool; store: FileStore },
  path: string,
  print: (line: string) => void,
): Promise<number> {
  const counts: Counts = { added: 0, known: 0, refused: 0 };
  const posters: Promise<void>[] = [];
  let batch: CatalogueRecord[] = [];
  let lines = 0;
  const writing = writeBehind({ atOnce: batchesAtOnce });
  const flush = () => {
    const records = batch;
    [batch, lines] = [[], 0];
    return writing.begin(async () => {
      const added = await createCatalogueVideos(context.pool, records);
      counts.added += added.length;
      counts.known += records.length - added.length;
      const titles = new Map(records.map((record) => [record.id, record.title]));
      posters.push(
        drawPosters(
          context.store,
          added.map((video) => ({ id: video.id, title: titles.get(video.externalId) || video.externalId })),
        ),
      );
      print(`${basename(path)}: ${counts.added} records added`);
    });
  };
  let number = 0;
  for await (const line of linesOf(path)) {
    number += 1;
    if (line.trim() === '') continue;
    const record = CatalogueRecord.safeParse(parseJson(line));
    if (!record.success) {
      counts.refused += 1;
      print(
        `${basename(path)}: line ${number} refused: ${record.error.issues[0]?.path.join('.') || 'it'}: ${record.error.issues[0]?.message}`,
      );
      continue;
    }
    batch.push(record.data);
    lines += record.data.lines.length + record.data.ocr.length;
    if (lines >= batchLines || batch.length >= batchRecords) await flush();
  }
  if (batch.length > 0) await flush();
  await writing.end();
  await Promise.all(posters);
  print(`${basename(path)}: ${counts.added} added, ${counts.known} already in the archive, ${counts.refused} refused`);
  return counts.refused;
}

function linesOf(path: string): AsyncIterable<string> {
  const file = createReadStream(path);
  return createInterface({ input: path.endsWith('.gz') ? unpacked(file) : file, crlfDelay: Number.POSITIVE_INFINITY });
}

/** A pipe alone keeps to itself what happens to the file. */
function unpacked(file: Readable): Readable {
  const gunzip = createGunzip();
  file.on('error', (error) => gunzip.destroy(error));
  return file.pipe(gunzip);
}

/** Draws between other work, so that records go on flowing into the database; many files reach the disk together in little more time than one. */
async function drawPosters(store: FileStore, videos: readonly { id: string; title: string }[]): Promise<void> {
  const putting = writeBehind({ atOnce: postersAtOnce });
  for (const { id, title } of videos) {
    await turn();
    const poster = drawTitlePoster(title);
    await putting.begin(() => store.put(videoKeys(id).poster, poster));
  }
  await putting.end();
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
