import { parseArgs } from 'node:util';
import { examine } from './doctor/examine.ts';
import { log, print, runCommand } from './run-command.ts';

const usage = `Usage: npm run doctor            finds what is wrong with this archive and its machine, and says how to fix it
       npm run doctor -- --json  the same, one JSON object a line`;

await runCommand(run);

/** Returns the exit code: 1 when something is at fault. */
async function run(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
  if (positionals.length > 0) {
    log(usage);
    return 1;
  }
  const findings = await examine();
  for (const finding of findings) {
    if (values.json) print(JSON.stringify(finding));
    else print(`${finding.is === 'fault' ? 'FAULT' : 'hint '}  ${finding.says}\n       ${finding.whatToDo}`);
  }
  const faults = findings.filter(({ is }) => is === 'fault').length;
  if (!values.json) print(faults === 0 ? 'No problems found.' : `${faults === 1 ? '1 problem' : `${faults} problems`} found.`);
  return faults === 0 ? 0 : 1;
}
