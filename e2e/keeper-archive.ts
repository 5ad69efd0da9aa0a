import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startPreparedArchive } from '#testing/prepared-archive.ts';
import { test as base, type JourneyArchive, preparedArchive } from './journey.ts';

const root = resolve(import.meta.dirname, '..');

/** An archive with 30 catalogue records, and one of many lines, besides the sample films, brought in by the real command. */
export const test = base.extend<object, { archive: JourneyArchive }>({
  archive: [
    async ({ browserName: _ }, use) => {
      const archive = await startPreparedArchive(preparedArchive());
      const folder = mkdtempSync(join(tmpdir(), 'rushes-records-'));
      const file = join(folder, 'records.jsonl');
      const records = [logbook, ...Array.from({ length: 30 }, (_unused, n) => record(n + 1))];
      writeFileSync(file, records.map((one) => JSON.stringify(one)).join('\n'));
      importTranscripts(archive, file);
      await use(archive);
      await archive.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
});

/** Sixty moments, of which the one in the middle says what is looked for most fully. */
const logbook = {
  id: 'logbook',
  title: 'Sixty entries',
  durationSeconds: 600,
  people: [],
  lines: Array.from({ length: 60 }, (_unused, n) => ({
    start: 10 * n,
    end: 10 * n + 8,
    text: n === 30 ? 'The logbook of the storm.' : `Entry ${n} in the logbook.`,
  })),
};

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
