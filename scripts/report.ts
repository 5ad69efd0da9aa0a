import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Collected, collectFromJourneys, collectFromTests, type Figures } from './collect-figures.ts';

/*
 * npm run -s report:NAME runs the tests of one promise over the whole attack corpus, of which npm test runs a sample where it takes
 * minutes, and prints their figures as JSON lines. It ends with 1 when any of them failed. `--files` prints the words by which every report picks its
 * tests, each with how many files it stands for, and runs none.
 */
interface Report {
  readonly tests?: readonly string[];
  readonly journeys?: readonly string[];
  /** Whether they measure, so that nothing else may run beside one of them. */
  readonly isOneByOne?: true;
  /** The lines in their order, each with these figures and no others; without it every line is printed as the tests left it. */
  readonly lines?: readonly Line[];
}

interface Line {
  readonly check: string;
  readonly figures: readonly string[];
  /** What a figure is called in the line where the tests call it otherwise. */
  readonly called?: Readonly<Record<string, string>>;
}

const reports: Readonly<Record<string, Report>> = {
  text: { journeys: ['hostile-text'] },
  redirects: { journeys: ['hostile-return-url'] },
  footage: { tests: ['ingest/footage/shared-footage', 'ingest/media/media-verdicts'], journeys: ['real-footage', 'bare-films'] },
  kills: { tests: ['testing/kills/', 'ingest/full-disk', 'testing/older-archive'] },
  axe: { journeys: ['accessibility'] },
  load: { tests: ['testing/load/load'] },
  image: { tests: ['testing/image-root'] },
  machines: { tests: ['testing/machines/'], isOneByOne: true },
  ingest: {
    tests: [
      ...['film-kills', 'upload-kills', 'correction-kills', 'kill-points', 'film-points'].map((name) => `testing/kills/${name}`),
      ...['server/routes/upload-cuts', 'media-verdicts', 'every-way-in', 'read-subtitles', 'server/routes/upload-bounds'],
    ],
    lines: [
      { check: 'kills', figures: ['rounds', 'lost', 'halfVisible', 'twice', 'orphans', 'disagreements'], called: { rounds: 'kills' } },
      { check: 'cuts', figures: ['cuts', 'differing'] },
      { check: 'footage', figures: ['files', 'wrongVerdicts', 'canaryVisits', 'peakRssMB', 'peakOpenFiles'], called: { files: 'media' } },
      { check: 'every-way-in', figures: ['files', 'wrongVerdicts', 'canaryVisits'], called: { files: 'media' } },
      { check: 'subtitles', figures: ['files', 'wrongVerdicts'], called: { files: 'subtitles' } },
      { check: 'file-names', figures: ['files', 'wrongVerdicts'], called: { files: 'names' } },
    ],
  },
  access: {
    tests: [
      'server/role-matrix',
      'server/token-attacks',
      'testing/return-addresses',
      'activation-pending/waiting',
      'way-back',
      'server/revocation',
    ],
    journeys: ['hostile-return-url', 'mail-scanners'],
    lines: [
      { check: 'role-matrix', figures: ['routes', 'checks', 'leaks'] },
      { check: 'tokens', figures: ['attempts', 'accepted'] },
      { check: 'redirects', figures: ['runs', 'escapes'] },
      { check: 'scanners', figures: ['links', 'spent'] },
      { check: 'revocation', figures: ['runs', 'medianMs', 'maxMs'] },
    ],
  },
};

const { positionals, values } = parseArgs({ allowPositionals: true, options: { kills: { type: 'string' }, files: { type: 'boolean' } } });
const [name = ''] = positionals;
const report = reports[name];
// How often the report of machines kills one of them.
if (values.kills !== undefined) process.env.RUSHES_TEST_KILLS = values.kills;
if (values.files) {
  for (const [report, of] of Object.entries(reports))
    for (const { word, files } of wordsOf(of)) console.info(JSON.stringify({ report, word, files: files.length }));
} else if (!report) {
  console.error(`There is no report "${name}". There are: ${Object.keys(reports).join(', ')}.`);
  process.exitCode = 1;
} else {
  process.exitCode = printReport(report) ? 0 : 1;
}

/** Prints the lines; whether everything passed and no line is missing. */
function printReport(report: Report): boolean {
  const { tests, journeys, lines, isOneByOne } = report;
  // What runs tests is content when one word of several stands for a file.
  const missing = wordsOf(report).filter(({ files }) => files.length === 0);
  for (const { word } of missing) console.error(`No test file has "${word}" in its path.`);
  if (missing.length > 0) return false;
  const runs: Collected[] = [
    ...(tests ? [collectFromTests(isOneByOne ? [...tests, '--no-file-parallelism'] : tests)] : []),
    ...(journeys ? [collectFromJourneys(journeys)] : []),
  ];
  const collected = runs.flatMap(({ figures }) => figures);
  const printed = lines ? lines.flatMap((line) => summed(line, collected)) : collected;
  for (const one of printed) console.info(JSON.stringify(one));
  return runs.every(({ passed }) => passed) && printed.length >= (lines?.length ?? 1);
}

/** By which words a report picks its test files, and those that each of them stands for. */
function wordsOf({ tests = [], journeys = [] }: Report): { word: string; files: string[] }[] {
  const areas = '{contract,domain,server,ingest,commands,web,testing,bench,scripts}/**/*.test.ts';
  const picked = (words: readonly string[], files: string[]) =>
    words.map((word) => ({ word, files: files.filter((file) => file.includes(word)) }));
  return [...picked(tests, globSync(areas)), ...picked(journeys, globSync('e2e/**/*.e2e.ts'))];
}

/** One line of what several tests say of the same check, added up, of peaks the highest; none when no test said anything. */
function summed({ check, figures, called = {} }: Line, collected: readonly Figures[]): Figures[] {
  const own = collected.filter((one) => one.check === check);
  if (own.length === 0) {
    console.error(`Nothing was measured for "${check}": its tests did not get that far.`);
    return [];
  }
  return [{ check, ...Object.fromEntries(figures.map((figure) => [called[figure] ?? figure, together(own, figure)])) }];
}

function together(all: readonly Figures[], figure: string): number {
  const each = all.map((one) => Number(one[figure] ?? 0));
  return figure.startsWith('peak') ? Math.max(...each) : each.reduce((sum, one) => sum + one, 0);
}
