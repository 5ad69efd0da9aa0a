import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import { readStored } from '#domain/files/read-stored.ts';
import type { FileStore } from '#domain/files/store.ts';
import { toVideoKeys, videoIdOfKey } from '#domain/files/video-keys.ts';
import { sweepArchive } from '#ingest/sweep-archive.ts';
import { addFilm, originalOf } from '../add-film.ts';
import { putReport } from '../put-report.ts';
import { createTestDatabase } from '../test-database.ts';

const films = 8;

test('a worker with another database than the one of these media loses no original', async ({ task }) => {
  const scratch = mkdtempSync(join(tmpdir(), 'rushes-foreign-'));
  const [own, foreign] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  try {
    const folder = archiveFolderIn(join(scratch, 'data'));
    const store = openLocalStore(folder.root);
    const ids: string[] = [];
    for (let n = 0; n < films; n++) ids.push(await addFilm({ pool: own.pool, store }));
    ageFolders(join(folder.root, 'media'));
    const said: string[] = [];
    await sweepArchive({ pool: foreign.pool, folder, store }, { log: (line) => said.push(line), settledAfterMs: 0, keptDays: 30 });
    const before = await store.listVideos();
    const lost = await lostOriginals(store, ids);
    putReport(task, { check: 'foreign-database', originalsLost: lost.length });
    expect(lost).toEqual([]);
    // Not even moved, and the operator reads why.
    expect(before).toHaveLength(films);
    expect(said).toEqual([
      expect.stringMatching(/^sweep: nothing was moved\. The data folder .+ holds 8 videos, but the database .+ holds none/),
    ]);
  } finally {
    await Promise.all([own.drop(), foreign.drop()]);
    rmSync(scratch, { recursive: true, force: true });
  }
});

/** Which of these videos have no original any more, neither in its place nor in the trash, from where an operator puts it back. */
async function lostOriginals(store: FileStore, ids: readonly string[]): Promise<string[]> {
  for (const entry of await store.trash.list()) if (ids.includes(videoIdOfKey(entry.key))) await store.trash.putBack(entry.name);
  const found = await Promise.all(ids.map((id) => readStored(store, toVideoKeys(id).original)));
  return ids.filter((id, n) => String(found[n]) !== originalOf(id));
}

/** As if nothing had come or gone for two days. */
function ageFolders(media: string): void {
  const then = new Date(Date.now() - 2 * 86_400_000);
  for (const name of readdirSync(media, { recursive: true, encoding: 'utf8' })) utimesSync(join(media, name), then, then);
}
