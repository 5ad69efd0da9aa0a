import { readFile } from 'node:fs/promises';
import { StepFailure } from '../step-failure.ts';
import { runTool } from './run-tool.ts';

const quickMs = 20_000;

/**
 * Words before a command line that keep a program, and all that it starts, to a share of this machine's processors, 0 to 1, at least to one of
 * them; none where it may have all. Throws a StepFailure where programs cannot be kept to any.
 */
export async function processorShare(share: number, env: Record<string, string>): Promise<readonly string[]> {
  if (share >= 1) return [];
  const processors = await ownProcessors().catch(() => []);
  const words = ['taskset', '-c', processors.slice(-Math.max(1, Math.ceil(processors.length * share))).join(',')];
  const tried = await runTool({ command: 'taskset', args: [...words.slice(1), 'true'], env, timeoutMs: quickMs }).catch(() => undefined);
  if (tried?.exitCode === 0) return words;
  throw new StepFailure(
    { is: 'tool-missing' },
    'RUSHES_INGEST_CPU_PERCENT needs Linux and the program taskset (of the package util-linux); install it, or take the setting away.',
  );
}

/** The numbers of the processors that this process may run on. */
async function ownProcessors(): Promise<number[]> {
  const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(await readFile('/proc/self/status', 'utf8')) ?? [];
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
}
