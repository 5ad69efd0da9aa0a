/*
 * Commands: what an operator starts through npm, a file each, and the processes of a running archive, of which this is the first: `npm start`.
 * worker takes films in, index-child writes the index, meaning-child compares meanings. How a command ends and speaks stands in run-command.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { enableCompileCache } from 'node:module';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

// Before anything else is loaded, so that a second start finds every module compiled.
enableCompileCache(join(root, 'node_modules', '.cache', 'compile'));
const { run } = await import('#server/run.ts');
const { environmentOfWorker } = await import('#server/config.ts');
const { createLog } = await import('#domain/system/log.ts');

const code = await run({
  root,
  /** The worker talks to us by a channel that closes when either side dies. */
  spawnWorker: () =>
    spawn(process.execPath, [join(root, 'commands', 'worker.ts')], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: environmentOfWorker(),
    }),
  buildPages: async (outputFolder) => {
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
    const args = [vite, 'build', '--logLevel', 'error', '--outDir', outputFolder, '--emptyOutDir'];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const end = () => child.kill();
    process.on('exit', end);
    const [code] = await once(child, 'close');
    process.off('exit', end);
    if (said.trim() !== '') createLog('start', 'warn').warn('pages were built', { code, said });
    return code === 0;
  },
});

// Libraries keep threads and timers of their own; everything of ours is closed by now.
process.exit(code);
