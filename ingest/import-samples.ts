import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { awaitsSamples, settleSamples } from '#domain/videos/awaits-samples.ts';
import { findFootageFiles } from './find-footage-files.ts';
import { type ImportContext, importFile } from './import-file.ts';

const samplesFolder = resolve(import.meta.dirname, '..', 'samples');

/** Brings the sample films into an archive that has never held a video. */
export async function importSamples(context: ImportContext): Promise<void> {
  if (!(await awaitsSamples(context.pool))) return;
  const isThere = await access(samplesFolder).then(
    () => true,
    () => false,
  );
  const films = isThere ? await findFootageFiles([samplesFolder]) : [];
  for (const film of films) await importFile(context, film);
  await settleSamples(context.pool);
}
