import { createHash } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { isFootageName } from '#contract/footage-names.ts';
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { Pool } from '../db/database.ts';
import type { ArchiveFolder } from '../files/archive-folder.ts';
import { ensureSpace } from '../files/stage-file.ts';
import type { FileStore } from '../files/store.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { recordFilmActivity } from '../users/audit.ts';
import { addCallback } from '../videos/callbacks.ts';
import { cleanText } from '../videos/clean-text.ts';
import { findByContentHash, newVideoId } from '../videos/create-video.ts';
import { type AddedFootage, addFootage } from './add-footage.ts';
import { keptFileName, titleOfFileName } from './footage-name.ts';
import { newUploadId, uploadPath } from './uploads.ts';

/** A film that comes as a whole, in one request. */
export interface FileInOne {
  /** As the sender says it. */
  readonly fileName: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** What is said of it; empty where nothing is. */
  readonly says: { readonly title: string; readonly description: string; readonly externalId: string; readonly language: string };
  readonly userId: string;
  readonly from: string;
  readonly refusesKnown: boolean;
  /** Whom the sender wants told once the film plays, or has failed. */
  readonly callback?: string | undefined;
}

interface Bounds {
  readonly fileMaxBytes: number;
  /** What stays free on the disk. */
  readonly reserveBytes: number;
}

/**
 * Writes a film down as it comes and takes it into the archive once all of it is there, safe on disk before this returns. Throws a Problem
 * for what is no footage by its name, is empty, too large, or known where that is refused; nothing of it is left then.
 */
export async function takeFile(
  archive: { readonly pool: Pool; readonly folder: ArchiveFolder; readonly store: FileStore; readonly queue: JobQueue },
  file: FileInOne,
  bounds: Bounds,
): Promise<AddedFootage> {
  const fileName = keptFileName(file.fileName);
  if (!isFootageName(fileName)) throw new Problem('unsupported_media_type', 'A file with this ending is not taken as footage.');
  const { folder, pool, store } = archive;
  await mkdir(folder.uploads, { recursive: true });
  const path = uploadPath(folder, newUploadId());
  try {
    const { contentHash, sizeBytes } = await writeHashed(path, file.bytes, { ...bounds, folder });
    if (sizeBytes === 0) throw new Problem('invalid_parameter', 'The file is empty.');
    if (file.refusesKnown && (await findByContentHash(pool, contentHash)))
      throw new Problem('conflict', 'The archive holds this film already.');
    const { title, description, externalId, language } = readSays(file.says);
    const unknown = { owner: null, recordedAt: null, place: null, rights: null, people: [], labels: [], brands: [] };
    const known = { name: title ?? titleOfFileName(fileName), description: description ?? null, externalId: externalId ?? null };
    return await addFootage(archive, {
      video: { id: newVideoId(), contentHash, fileName, sizeBytes, ...known, language: language ?? 'en', ...unknown },
      path,
      keepSidecars: (below) =>
        store.put(`${below}/facts.json`, Buffer.from(JSON.stringify({ fileName, title, description, externalId, language }))),
      note: async (db, became) => {
        if (file.callback) await addCallback(db, { videoId: became.videoId, address: file.callback, awaits: 'playable' });
        if (became.wasKnown) return;
        const who = { actorUid: file.userId, from: file.from };
        await recordFilmActivity(db, { action: 'film-added', videoId: became.videoId, before: '', detail: fileName, ...who });
      },
    });
  } finally {
    await rm(path, { force: true });
  }
}

/** Space is looked at again after so much has come. */
const lookEveryBytes = 64 * 1_024 * 1_024;

async function writeHashed(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  { folder, fileMaxBytes, reserveBytes }: Bounds & { readonly folder: ArchiveFolder },
): Promise<{ contentHash: string; sizeBytes: number }> {
  await using to = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let lookAt = 0;
  for await (const chunk of bytes) {
    if (sizeBytes >= lookAt) {
      await ensureSpace(folder.uploads, lookEveryBytes, reserveBytes);
      lookAt = sizeBytes + lookEveryBytes;
    }
    sizeBytes += chunk.length;
    if (sizeBytes > fileMaxBytes)
      throw new Problem('file_too_large', `A film sent like this may have ${Math.floor(fileMaxBytes / 1_000_000)} MB.`);
    hash.update(chunk);
    await to.writeFile(chunk);
  }
  await to.sync();
  return { contentHash: hash.digest('hex'), sizeBytes };
}

/** What was said, cleaned and cut as everywhere; what is not said, or is no language, is left out. */
function readSays({ title, description, externalId, language }: FileInOne['says']) {
  const said = (text: string, maxCodePoints: number) => cleanText(text, maxCodePoints) || undefined;
  const most = limits.factMaxCodePoints;
  return {
    title: said(title, most.title),
    description: said(description, most.description),
    externalId: said(externalId, most.externalId),
    language: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,8}$/.test(language) ? language : undefined,
  };
}
