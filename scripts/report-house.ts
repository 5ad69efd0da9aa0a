import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findUnused } from './house/find-unused.ts';
import { measureHouse } from './house/measure-house.ts';
import { readSource } from './house/read-source.ts';

/*
 * npm run -s report:house prints one JSON line for each measure of the source, tests left out, and ends with 1 when one of them is
 * over its bar; then, or with `--show MEASURE`, standard error names what stands behind it.
 */
const { values } = parseArgs({ options: { root: { type: 'string' }, show: { type: 'string', multiple: true, default: [] } } });
const root = resolve(values.root ?? resolve(import.meta.dirname, '..'));

for (const { measure, value, bar, where = [] } of measureHouse(readSource(root), findUnused(root))) {
  console.info(JSON.stringify({ check: 'house', measure, value, bar }));
  const isMissed = bar !== undefined && value > bar;
  if (isMissed) process.exitCode = 1;
  if (isMissed || values.show.includes(measure)) for (const one of where) console.error(`  ${one}`);
}
