import { join } from 'node:path';
import { sql } from '#domain/db/sql.ts';
import { addMadeVideos } from '#testing/add-made-videos.ts';
import { openTranscriptArchive, type TranscriptArchive } from '#testing/transcript-archive.ts';
import { makeVideos, type SpokenLines } from './search-corpus.ts';

/** Videos, and moments in each of them. */
export interface ArchiveSize {
  readonly videos: number;
  readonly moments: number;
}

/** Opens an archive of made videos below the folder `keep`, where every size has a folder of its own; made and indexed first when it is not there. */
export async function openMadeArchive(
  size: ArchiveSize,
  { spoken, keep, progress }: { spoken: SpokenLines; keep: string | undefined; progress: (line: string) => void },
): Promise<TranscriptArchive> {
  const archive = await openTranscriptArchive({
    keep: keep && madeArchiveFolder(keep, size),
    content: contentOf(size, spoken),
    fill: (empty) => addMadeVideos(empty.pool, makeVideos(spoken, size), progress),
  });
  await removeDrawnSigns(archive);
  return archive;
}

/** Signs drawn by lot belong to no text, and have no checksum. A run that was ended before it took them away would leave them to those after it. */
export async function removeDrawnSigns({ pool }: Pick<TranscriptArchive, 'pool'>): Promise<void> {
  await pool.query(sql`delete from film_meaning where checksum = ''`);
}

/** Where one of a size lies below the folder in which they are kept. */
export function madeArchiveFolder(keep: string, { videos, moments }: ArchiveSize): string {
  return join(keep, `${videos}x${moments}`);
}

/** What a made archive holds; one that was kept with other content is made anew. */
function contentOf(size: ArchiveSize, spoken: SpokenLines): string {
  return JSON.stringify({ ...size, isReal: spoken.isReal, version: 1 });
}
