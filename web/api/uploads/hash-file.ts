import type { HashAnswer, HashQuestion } from './hash-worker.ts';
import workerAddress from './hash-worker.ts?worker&url';

interface ScriptPolicy {
  createScriptURL(address: string): string;
}

declare global {
  interface Window {
    /** Where the browser has it, only what a policy made may name a script. */
    readonly trustedTypes?: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy };
  }
}

const ownWorker = window.trustedTypes?.createPolicy('hash-worker', { createScriptURL: () => workerAddress });

/**
 * Reads a file away from the page and returns its SHA-256: of its beginning and end, or of all of it. Throws where the file cannot be read
 * any more: it was moved, or its disk is gone.
 */
export function hashFile(file: File, of: HashQuestion['of'], signal: AbortSignal): Promise<string> {
  const worker = new Worker(ownWorker?.createScriptURL(workerAddress) ?? workerAddress, { type: 'module' });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  worker.addEventListener('message', ({ data }: MessageEvent<HashAnswer>) => {
    if ('sha256' in data) resolve(data.sha256);
    else reject(new Error(`${file.name} cannot be read any more. Choose it again.`, { cause: data.failure }));
  });
  worker.addEventListener('error', () => reject(new Error('This browser could not read the file. Try again in another one.')));
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  const question: HashQuestion = { file, of };
  worker.postMessage(question);
  return promise.finally(() => worker.terminate());
}
