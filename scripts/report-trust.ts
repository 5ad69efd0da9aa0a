import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { collectFromTests, type Figures } from './collect-figures.ts';

/*
 * npm run -s report:trust prints one JSON line for each thing that an archive is trusted with, and ends with 1 when one of them falls
 * short. `--only NAME` runs that check alone; `--broken NAME` runs it with its guard switched off, and has to end with 1.
 */
const checks = ['foreign-database', 'two-databases', 'power-cut', 'restore', 'costly-search', 'sandbox', 'memory-bomb', 'harvest', 'cache'];

const options = { only: { type: 'string' }, broken: { type: 'string' } } as const;
const { broken, only } = parseArgs({ options }).values;
const wanted = broken ?? only;
if (wanted !== undefined && !checks.includes(wanted)) {
  console.error(`There is no check "${wanted}". There are: ${checks.join(', ')}.`);
  process.exitCode = 1;
} else {
  const asked = wanted === undefined ? checks : [wanted];
  // One after the other: a check that measures is alone on the machine.
  const held = asked.map((check) => holds(check, broken === undefined ? {} : withoutGuardsOf(broken)));
  process.exitCode = held.every(Boolean) ? 0 : 1;
}

/** Runs one check and prints its line; whether its test passed and nothing of it was left out. */
function holds(check: string, env: Readonly<Record<string, string>>): boolean {
  const { figures, passed } = collectFromTests([`testing/trust/${check}.test.ts`], env);
  const line: Figures = figures.find((one) => one.check === check) ?? { check, skipped: 'its test did not get that far' };
  console.info(JSON.stringify(line));
  return passed && line.skipped === undefined;
}

function withoutGuardsOf(check: string): Record<string, string> {
  const preload = resolve(import.meta.dirname, '..', 'testing', 'trust', 'load-without-guards.ts');
  return { RUSHES_TEST_BROKEN: check, NODE_OPTIONS: `--import=${preload}` };
}
