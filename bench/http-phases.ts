import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runImport } from '#testing/run-import.ts';
import type { ServedArchive } from '#testing/served-archive.ts';
import type { AskedQuestion } from './http-client.ts';
import { type Figures, loadWhile } from './http-load.ts';
import { newcomerFigures, newcomersOf, withNewcomers } from './newcomers.ts';
import type { MadeVideo } from './search-corpus.ts';

export interface HttpRun {
  readonly archive: ServedArchive;
  /** Videos without end, always the same. */
  readonly made: () => Iterable<MadeVideo>;
  readonly questions: readonly AskedQuestion[];
  readonly phaseMs: number;
  readonly progress: (line: string) => void;
}

type Print = (line: object) => void;

/** Asks everything once, so that nothing that is timed is the first of its kind; tells which questions find anything. */
export async function warmUp(archive: ServedArchive, questions: readonly { readonly query: string }[]): Promise<AskedQuestion[]> {
  const asked: AskedQuestion[] = [];
  for (const { query } of questions) asked.push({ query, finds: (await archive.search(query)).length > 0 });
  return asked;
}

/** Traffic of 1, 8 and 32 connections, each for a phase, while one video a second is added: a line for each, and one for the videos. */
export async function timeTraffic(run: HttpRun, print: Print): Promise<void> {
  const newcomers = newcomersOf(run.made(), 'added');
  const foundMs: (number | null)[] = [];
  for (const connections of [1, 8, 32]) {
    const { result, found } = await withNewcomers(run.archive, newcomers, () => load(run, connections, () => wait(run.phaseMs)));
    print({ connections, ...result, ...newcomerFigures(found) });
    foundMs.push(...found);
  }
  print(newcomerFigures(foundMs));
}

/**
 * How much slower the slower answers become while the import command brings videos in, with 1 and with 8 connections; and
 * while the index is tidied up afterwards, until its writer has ended.
 */
export async function timeImport(run: HttpRun, { videos, workFolder, print }: { videos: number; workFolder: string; print: Print }) {
  for (const connections of [1, 8]) {
    const file = join(workFolder, `import-${connections}.jsonl`);
    await writeRecords(file, newcomersOf(run.made(), `imported-${connections}`), videos);
    await run.archive.untilIndexRests();
    const idle = await load(run, connections, () => wait(run.phaseMs));
    const during = await load(run, connections, () => importFile(run, file));
    print({ phase: 'import', videos, connections, ...compared(idle, during) });
    const after = await load(run, connections, () => run.archive.untilIndexRests());
    print({ phase: 'tidying up', connections, ...compared(idle, after) });
  }
}

function compared(idle: Figures, { p95Ms, maxMs, errors }: Figures) {
  return { idleP95Ms: idle.p95Ms, p95Ms, ratio: Math.round((p95Ms / idle.p95Ms) * 100) / 100, maxMs, errors: idle.errors + errors };
}

function load({ archive, questions, progress }: HttpRun, connections: number, meanwhile: () => Promise<unknown>): Promise<Figures> {
  const { searchAddress, accessToken } = archive;
  return loadWhile({ searchAddress, accessToken, questions, connections }, meanwhile, progress);
}

async function importFile({ archive, progress }: HttpRun, file: string): Promise<void> {
  const startedAt = performance.now();
  const { exitCode, output } = await runImport(['--transcripts', file], { RUSHES_DATA: archive.dataFolder });
  if (exitCode !== 0) throw new Error(`The import ended with ${exitCode}:\n${output}`);
  progress(`imported and found in ${Math.round((performance.now() - startedAt) / 100) / 10} s`);
}

async function writeRecords(file: string, records: Iterator<MadeVideo>, count: number): Promise<void> {
  const lines = Array.from({ length: count }, () => `${JSON.stringify(records.next().value)}\n`);
  await writeFile(file, lines.join(''));
}
