import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runImport } from './run-import.ts';
import type { ServedArchive } from './served-archive.ts';

const films = ['Harbour at dusk.mp4'];
/** Nobody else says these. */
const words = ['qandorvix', 'belmurtash', 'ozwiggenth', 'tryllupam', 'fjekkodur', 'wachimsolt', 'hurbinzaq', 'yevotragun'];

/** Brings sample films into a running archive, a few dozen made records, and the transcripts of the shared footage. */
export async function fillArchive(
  served: ServedArchive,
  { samples, media }: { samples: string; media: string | undefined },
): Promise<void> {
  const settings = { RUSHES_DATA: served.dataFolder };
  const runs = [films.map((name) => join(samples, name)), ...(media ? [['--transcripts', join(media, 'corpus-open.jsonl.gz')]] : [])];
  for (const args of runs) {
    const { exitCode, output } = await runImport(args, settings);
    if (exitCode !== 0) throw new Error(output);
  }
  for (let n = 0; n < 24; n++) await served.addVideo(madeRecord(n));
}

/** Questions about the shared footage; without it such whose answers stay when other records come. */
export function drillQueries(media: string | undefined): readonly string[] {
  if (!media) return words;
  const lines = readFileSync(join(media, 'queries-open.jsonl'), 'utf8').split('\n').filter(Boolean);
  return lines.slice(0, 60).map((line) => (JSON.parse(line) as { query: string }).query);
}

/** Each word is said in three films, the more briefly the better: no two are alike, so that an answer has one order only. */
function madeRecord(n: number) {
  const text = `${words[n % words.length]} ${'pebble '.repeat(1 + n)}`;
  return { id: `drill-${n}`, title: `Reel ${n} \\ tab\t and "quotes" – ü`, durationSeconds: 60, lines: [{ start: 0, end: 9, text }] };
}
