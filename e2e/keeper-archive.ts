import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startPreparedArchive } from '#testing/prepared-archive.ts';
import { test as base, type JourneyArchive, preparedArchive } from './journey.ts';

const root = resolve(import.meta.dirname, '..');

/** An archive with 30 catalogue records besides the sample films, brought in by the real command. */
export const test = base.extend<object, { archive: JourneyArchive }>({
  archive: [
    async ({ browserName: _ }, use) => {
      const archive = await startPreparedArchive(preparedArchive());
      const folder = mkdtempSync(join(tmpdir(), 'rushes-records-'));
      const file = join(folder, 'records.jsonl');
      writeFileSync(file, Array.from({ length: 30 }, (_unused, n) => JSON.stringify(record(n + 1))).join('\n'));
      importTranscripts(archive, file);
      await use(archive);
      await archive.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
});

/** Every one has more moments than a card shows at first; the last six are longer than ten minutes. */
function record(n: number): object {
  const hours = ['six', 'seven', 'eight', 'nine', 'ten'];
  const lines = [
    { start: 2, end: 5, text: 'The lighthouse keeper wrote down the weather every evening.' },
    { start: 6, end: 9, text: `This is reel number ${n} of his diary.` },
    ...hours.map((hour, k) => ({ start: 10 + 8 * k, end: 14 + 8 * k, text: `At ${hour} the keeper looked at the lamp.` })),
  ];
  const durationSeconds = n > 24 ? 700 : 60;
  return { id: `keeper-${n}`, title: `Keeper tape ${n}`, language: 'en', durationSeconds, people: [], brands: [], labels: [], lines };
}

function importTranscripts(archive: JourneyArchive, file: string): void {
  const env = { ...process.env, DATABASE_URL: archive.database.url, RUSHES_DATA: archive.dataFolder };
  const done = spawnSync(process.execPath, [join(root, 'commands/import.ts'), '--transcripts', file], { env, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stdout + done.stderr);
}
