import { type EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { serverLimits } from '#contract/limits.ts';
import { holdMachine } from '#domain/archive/hold-machine.ts';
import { openArchive } from '#domain/archive/open-archive.ts';
import type { OpenDatabase } from '#domain/db/open-database.ts';
import { retryWhileEnding } from '#domain/db/retries.ts';
import { toIndexCopy } from '#domain/files/index-copy.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { prepareSearch } from '#domain/search/open-search.ts';
import { type IndexFollower, startIndexFollower } from '#domain/search-index/index-follower.ts';
import { settingsFaultCode, toolsMissingCode } from '#domain/system/exit-codes.ts';
import { createLog, type Log, logCrashes } from '#domain/system/log.ts';
import { OperatorFault } from '#domain/system/operator-fault.ts';
import { signSecrets } from '#domain/tokens/open-secrets.ts';
import { applyErasures } from '#domain/videos/people/forget-person.ts';
import { buildApp } from './app.ts';
import { type BuildPages, buildStalePages } from './built-pages.ts';
import { type Config, ConfigFault, readConfig } from './config.ts';
import { createContext } from './context.ts';
import { checkDataFolder, checkPort, listenFault, toDatabaseFault } from './start-checks.ts';

/** What only the main file may do: start other processes. */
interface Spawning {
  readonly root: string;
  readonly spawnWorker: () => WorkerChild;
  readonly buildPages: BuildPages;
}

/** Runs the archive until it is told to stop; the exit code comes back. A start that cannot be is told in plain lines. */
export async function run(spawning: Spawning): Promise<number> {
  try {
    const config = readConfig();
    logCrashes(createLog('start', config.logLevel));
    const stopped = stopSignal(config);
    // Told to stop before the start is over, there is nothing to drain: what was begun is made to end with this process.
    const running = await Promise.race([start(config, spawning, stopped), stopped.code]);
    if (typeof running === 'number') return running;
    const code = await stopped.code;
    // Whatever hangs then is no reason to outlive the one who asked.
    setTimeout(() => process.exit(1), serverLimits.endsWithinMs.server).unref();
    await running.stop();
    return code;
  } catch (error) {
    if (!(error instanceof OperatorFault || error instanceof ConfigFault)) throw error;
    process.stderr.write(`${error.message}\n`);
    // Half of a start may be running; this ends it.
    process.exit(error instanceof ConfigFault ? settingsFaultCode : 1);
  }
}

interface StopSignal {
  readonly code: Promise<number>;
  stop(code: number): void;
}

/** SIGTERM, Ctrl-C, a closed terminal, or npm's death; `stop` is for reasons of our own. */
function stopSignal(config: Config): StopSignal {
  const { promise, resolve } = Promise.withResolvers<number>();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => resolve(0));
  const unwatch = watchNpm(config.npmLifecycleEvent, () => resolve(0));
  return { code: promise.finally(unwatch), stop: resolve };
}

async function start(config: Config, spawning: Spawning, stopped: StopSignal): Promise<{ stop(): Promise<void> }> {
  const serves = config.roles !== 'ingest';
  checkDataFolder(config.dataFolder, createLog('start', config.logLevel).warn);
  if (serves) await checkPort(config.listen);
  const [database] = await Promise.all([
    openArchiveOrFault(config),
    serves && !config.pagesAreBuiltElsewhere ? buildStalePages(spawning.root, spawning.buildPages) : undefined,
  ]);
  // One that ends with its own PostgreSQL has no others beside it.
  const held = config.databaseUrl ? await holdOrFault(config, database) : undefined;
  const site = serves ? await listen(config, database) : undefined;
  const worker =
    config.roles === 'web'
      ? undefined
      : keepWorkerRunning(spawning.spawnWorker, { log: createLog('start', config.logLevel), onGivingUp: stopped.stop });
  return {
    stop: () => {
      held?.release();
      return stopAll({ site, worker, database });
    },
  };
}

async function holdOrFault(config: Config, { pool }: OpenDatabase): Promise<{ release(): void }> {
  try {
    const { folder } = openArchiveFiles(config.dataFolder, config.s3);
    return await holdMachine(pool, {
      folder,
      s3: config.azure ? null : config.s3,
      secrets: config.roles === 'ingest' ? undefined : await signSecrets(pool, config),
    });
  } catch (error) {
    throw toDatabaseFault(config.databaseUrl, error);
  }
}

async function openArchiveOrFault(config: Config): Promise<OpenDatabase> {
  try {
    const database = await openArchive(config, { tied: true, keepRunning: true, answerWithinMs: serverLimits.databaseAnswersWithinMs });
    const archive = { pool: database.pool, ...openArchiveFiles(config.dataFolder, config.s3) };
    // Before anything is served: a database that was restored, or is of an earlier state, may hold somebody who was forgotten since.
    await retryWhileEnding(config.databaseUrl, () => applyErasures(archive));
    return database;
  } catch (error) {
    throw toDatabaseFault(config.databaseUrl, error);
  }
}

/** What answers requests, and what keeps its searches up to date. */
interface Listening {
  readonly app: FastifyInstance;
  /** Undefined where another service has the films. */
  readonly index: IndexFollower | undefined;
}

async function listen(config: Config, database: OpenDatabase): Promise<Listening> {
  // What it asks first may still reach a PostgreSQL that ends with the server before.
  const context = await retryWhileEnding(config.databaseUrl, () => createContext(config, database.pool));
  const app = await buildApp(context);
  await app.listen(config.listen).catch((error: unknown) => {
    throw listenFault(config.listen, error);
  });
  process.stdout.write(`Rushes is ready: ${config.publicUrl}\n`);
  if (config.practice) {
    process.stdout.write(
      'This is a practice archive: it only answers on this machine and has four practice users. Set RUSHES_PUBLIC_URL to open it to others.\n',
    );
  }
  const log = (reason: string) => context.log.warn('the index is not followed', { reason });
  const { pool, address } = database;
  if (config.azure) return { app, index: undefined };
  // Whoever asks is told what is wrong where something is.
  const onFollowed = () => void prepareSearch(context.search).catch(() => {});
  return { app, index: startIndexFollower({ pool, address, copy: toIndexCopy(context), log, onFollowed }) };
}

/** The listener closes first, requests under way end, the worker gives its jobs back; the database goes last. */
async function stopAll(parts: { site: Listening | undefined; worker: WorkerProcess | undefined; database: OpenDatabase }): Promise<void> {
  const { site, worker, database } = parts;
  const impatient = setTimeout(() => site?.app.server.closeAllConnections(), serverLimits.endsWithinMs.requests);
  await Promise.all([site?.app.close(), site?.index?.stop(), worker?.stop(serverLimits.endsWithinMs.requests)]);
  clearTimeout(impatient);
  await database.close();
}

const lookEveryMs = 500;

/**
 * Calls `onGone` when npm, or the shell that it put between us, has died: neither passes every signal on,
 * and a server that nobody holds any more would keep the port.
 */
function watchNpm(lifecycleEvent: string | undefined, onGone: () => void): () => void {
  if (!lifecycleEvent) return () => {};
  const parent = process.ppid;
  const grandparent = parentOf(parent);
  const timer = setInterval(() => {
    if (process.ppid !== parent || (grandparent !== undefined && parentOf(parent) !== grandparent)) onGone();
  }, lookEveryMs).unref();
  return () => clearInterval(timer);
}

/** Linux only; elsewhere the shell's own death is all that can be seen. */
function parentOf(pid: number): number | undefined {
  try {
    // The name in brackets may hold spaces; the parent is the second field after it.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return undefined;
  }
}

const firstPauseMs = 500;
const longestPauseMs = 30_000;

/** What is asked of a started process. */
interface WorkerChild extends EventEmitter {
  /** None where the process could not be made. */
  readonly pid?: number | undefined;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  kill(signal: NodeJS.Signals): boolean;
}

interface WorkerProcess {
  /** Asks the worker to give its jobs back and end; one that has not after `patienceMs` is killed. */
  stop(patienceMs: number): Promise<void>;
}

/**
 * Keeps one ingest worker running: a crash, or a machine that has no room for a process, is followed by a new try, after a pause that
 * grows while they follow each other.
 */
export function keepWorkerRunning(
  spawnWorker: () => WorkerChild,
  options: { log: Log; onGivingUp: (code: number) => void },
): WorkerProcess {
  let child: WorkerChild | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = firstPauseMs;
  let stopping = false;
  const startAgain = () => {
    if (stopping) return;
    timer = setTimeout(start, pauseMs);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  };
  const failed = (error: unknown) => {
    options.log.error('worker did not start, trying again', { error });
    startAgain();
  };
  const start = () => {
    const startedAt = Date.now();
    try {
      child = spawnWorker();
    } catch (error) {
      child = undefined;
      return failed(error);
    }
    const { pid } = child;
    // One that is not there does not exit either.
    child.on('error', (error) => (pid === undefined ? failed(error) : options.log.error('the worker is not reached', { error })));
    child.on('exit', (code, signal) => {
      if (stopping) return;
      // Starting it again changes nothing: the operator must act, and it has printed what to do.
      if (code === settingsFaultCode) return options.onGivingUp(settingsFaultCode);
      if (code === toolsMissingCode) return options.onGivingUp(1);
      options.log.error('worker ended, starting it again', { code, signal });
      if (Date.now() - startedAt > longestPauseMs) pauseMs = firstPauseMs;
      startAgain();
    });
  };
  start();
  return {
    stop: async (patienceMs) => {
      stopping = true;
      clearTimeout(timer);
      const last = child;
      if (last?.pid === undefined || last.exitCode !== null || last.signalCode !== null) return;
      const gone = once(last, 'exit');
      last.kill('SIGTERM');
      const killer = setTimeout(() => last.kill('SIGKILL'), patienceMs);
      await gone;
      clearTimeout(killer);
    },
  };
}
