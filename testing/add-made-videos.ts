import type { Pool } from '#domain/db/database.ts';
import { writeBehind } from '#domain/db/write-behind.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';

/** Publishes one catalogue record; the video's id comes back once it is committed. */
export async function addMadeVideo(pool: Pool, video: unknown): Promise<string> {
  const [added] = await createCatalogueVideos(pool, [CatalogueRecord.parse(video)]);
  if (!added) throw new Error('The archive holds a record of this id already.');
  return added.id;
}

const videosPerBatch = 50;
const batchesAtOnce = 2;

/** Publishes catalogue records from memory, as the import does from a file. */
export async function addMadeVideos(pool: Pool, videos: Iterable<unknown>, progress: (line: string) => void): Promise<void> {
  let batch: CatalogueRecord[] = [];
  let added = 0;
  const writing = writeBehind({ atOnce: batchesAtOnce });
  const flush = () => {
    const records = batch;
    batch = [];
    return writing.begin(async () => {
      added += (await createCatalogueVideos(pool, records)).length;
      if (added % 1_000 === 0) progress(`${added} videos added`);
    });
  };
  for (const video of videos) {
    batch.push(CatalogueRecord.parse(video));
    if (batch.length >= videosPerBatch) await flush();
  }
  if (batch.length > 0) await flush();
  await writing.end();
}
