import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sha256Of } from '#domain/files/sha256.ts';
import { replaceFootage } from '#domain/footage/replace-footage.ts';
import type { FilmArchive } from '#domain/videos/film-archive.ts';

/** Puts another file in the place of a film's, as an upload does; returns its SHA-256. */
export async function replaceOriginal(
  archive: Pick<FilmArchive, 'pool' | 'store' | 'queue'>,
  { videoId, path }: { videoId: string; path: string },
): Promise<string> {
  const [id, userId, contentHash] = [randomBytes(16).toString('hex'), 'replacing', sha256Of(await readFile(path))];
  const upload = { id, userId, videoId, replaces: videoId, fileName: 'other.mp4', sizeBytes: 1, ends: 'b'.repeat(64) };
  await archive.pool.query(`insert into users (id, email, name) values ($1, 'replacing@people.example', 'Editor') on conflict do nothing`, [
    userId,
  ]);
  await archive.pool.query(
    `insert into uploads (id, user_id, video_id, replaces, file_name, size_bytes, ends) values ($1, $2, $3, $3, 'other.mp4', 1, $4)`,
    [id, userId, videoId, upload.ends],
  );
  await replaceFootage(archive, {
    path,
    contentHash,
    actorUid: userId,
    from: '',
    keepSidecars: () => Promise.resolve(),
    upload: { ...upload, createdAt: new Date(), finishedAt: null, became: null },
  });
  return contentHash;
}
