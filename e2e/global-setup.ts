import { rmSync } from 'node:fs';
import { setup as startDatabase } from '#testing/global-setup.ts';
import { prepareArchive } from '#testing/prepared-archive.ts';

/** Before any journey: one PostgreSQL, and one archive with the sample films that every worker clones. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const stopDatabase = await startDatabase();
  const prepared = await prepareArchive();
  process.env.RUSHES_TEST_PREPARED = JSON.stringify(prepared);
  return async () => {
    rmSync(prepared.dataFolder, { recursive: true, force: true });
    await stopDatabase();
  };
}
