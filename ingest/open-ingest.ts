import { access, constants, readdir, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { serverLimits } from '#contract/limits.ts';
import { openArchive } from '#domain/archive/open-archive.ts';
import type { DatabaseAddress } from '#domain/db/database.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { type JobQueue, openJobQueue } from '#domain/jobs/job-queue.ts';
import { chooseEncoder } from '#domain/meaning/encoder/choose-encoder.ts';
import { openMeaningProcess } from '#domain/meaning/meaning-process.ts';
import type { Say } from '#domain/system/log.ts';
import { applyErasures } from '#domain/videos/people/forget-person.ts';
import type { IngestConfig } from './config.ts';
import type { IngestContext } from './ingest-context.ts';
import { StepFailure } from './step-failure.ts';
import { makeFfmpegTools } from './tools/ffmpeg-tools.ts';
import { giveWay } from './tools/give-way.ts';
import type { MediaTools } from './tools/media-tools.ts';
import { findNodeAv, makeNodeAvTools } from './tools/node-av-tools.ts';
import { runChild } from './tools/run-child.ts';
import { runHeld } from './tools/run-held.ts';
import { runTool } from './tools/run-tool.ts';
import { findSandbox, type Sandbox } from './tools/sandbox.ts';
import { type Wall, walls } from './tools/standing-walls.ts';

export interface Ingest {
  readonly context: IngestContext;
  readonly address: DatabaseAddress;
  readonly queue: JobQueue;
  /** What the tools that read footage are kept from. */
  readonly walls: readonly Wall[];
  close(): Promise<void>;
}

/** Opens the archive for ingest: the tools of this machine, tried out, then the database and its jobs. */
export async function openIngest(config: IngestConfig, log: Say): Promise<Ingest> {
  const sandbox = await findSandbox(config.dataFolder, config.processorShare);
  const warning = warnOfMissing(sandbox.walls);
  if (warning && config.strict) throw new StepFailure({ is: 'tool-missing' }, `${warning} RUSHES_STRICT_INGEST=1 forbids continuing.`);
  if (warning) log(warning);
  const tools = await findMediaTools(config, sandbox);
  // A worker whose server is gone may have started the database again: that must not outlive it.
  const tied = process.channel !== undefined;
  const database = await openArchive(config, { tied, answerWithinMs: serverLimits.databaseAnswersWithinMs });
  const files = openArchiveFiles(config.dataFolder, config.s3);
  // No film is worked on with somebody in it who was forgotten.
  await applyErasures({ pool: database.pool, ...files });
  const encoder = openMeaningProcess({ encoder: await chooseEncoder(config.encoder), onStart: giveWay });
  const queue = await openJobQueue(database.pool, { onError: (error) => log(`jobs: ${error.message}`, { error }) });
  return {
    context: {
      pool: database.pool,
      ...files,
      s3: config.s3,
      tools,
      encoder,
      reserveBytes: config.reserveBytes,
      quota: config.quota,
      runEngine: (input, call) => runChild(sandbox, input, call),
      runProgram: (input, call) => runHeld(sandbox, input, call),
      speech: config.speech,
    },
    address: database.address,
    walls: sandbox.walls,
    queue,
    close: async () => {
      await queue.stop();
      encoder.close();
      await database.close();
    },
  };
}

const reachedBehind: Readonly<Record<Wall, string>> = {
  files: 'read the files of the archive',
  sockets: 'connect to the database',
  network: 'open network connections on this machine',
  processes: 'see other processes',
  memory: 'use all the memory',
};

function warnOfMissing(standing: readonly Wall[]): string | undefined {
  const open = walls.filter((wall) => !standing.includes(wall)).map((wall) => reachedBehind[wall]);
  if (open.length === 0) return undefined;
  return (
    `A tool that reads footage could ${open.join(', ')}, because this machine does not allow restricting it; let the worker create ` +
    'namespaces (docs/operations.md, "What ingest may do"), install bubblewrap, or import files from people you trust only.'
  );
}

export interface WhereToLook {
  /** FFMPEG_PATH: the program `ffmpeg`, or the folder that holds it and `ffprobe`. */
  readonly ffmpegPath: string | undefined;
  /** PATH. */
  readonly searchPath: string;
}

/**
 * The media tools of this machine: those of FFMPEG_PATH, whatever their version; else the first on PATH that are new enough; else the
 * FFmpeg that comes with the npm packages. Throws a StepFailure when there are none.
 */
export async function findMediaTools(where: WhereToLook, sandbox: Sandbox): Promise<MediaTools> {
  if (where.ffmpegPath) {
    const [programs] = await programsIn([where.ffmpegPath, dirname(where.ffmpegPath)]);
    if (programs) return makeFfmpegTools({ ...programs, ...(await readFfmpegVersion(programs.ffmpeg)), sandbox });
    throw makeToolFailure(`FFMPEG_PATH is ${where.ffmpegPath}, but ffmpeg and ffprobe are not there; correct or remove it.`);
  }
  let older = '';
  for (const programs of await programsIn(where.searchPath.split(delimiter).filter(isAbsolute))) {
    const build = await readFfmpegVersion(programs.ffmpeg);
    if (build.isNewEnough) return makeFfmpegTools({ ...programs, ...build, sandbox });
    older ||= `ffmpeg ${build.version} at ${programs.ffmpeg} is too old. `;
  }
  if (findNodeAv()) return makeNodeAvTools(sandbox);
  throw makeToolFailure(
    `${older}No ffmpeg ${oldestVersion} or newer was found: install it, or run npm ci again to complete the package node-av.`,
  );
}

/** Which FFmpeg FFMPEG_PATH names, and from which version on one is taken unasked; undefined where it names none that is older. */
export async function isTooOld({ ffmpegPath }: Pick<WhereToLook, 'ffmpegPath'>): Promise<{ oldest: string } | undefined> {
  const [programs] = ffmpegPath ? await programsIn([ffmpegPath, dirname(ffmpegPath)]) : [];
  return programs && !(await readFfmpegVersion(programs.ffmpeg)).isNewEnough ? { oldest: oldestVersion } : undefined;
}

/** Programs that stand side by side, by their true names: a link may lead out of what a decoder sees. */
async function programsIn(folders: readonly string[]): Promise<{ ffmpeg: string; ffprobe: string; files: string[] }[]> {
  const found = [];
  for (const folder of folders) {
    const programs = { ffmpeg: join(folder, 'ffmpeg'), ffprobe: join(folder, 'ffprobe') };
    if (!(await isProgram(programs.ffmpeg)) || !(await isProgram(programs.ffprobe))) continue;
    const [ffmpeg, ffprobe] = [await realpath(programs.ffmpeg), await realpath(programs.ffprobe)];
    found.push({ ffmpeg, ffprobe, files: await listOwnLibraries(ffmpeg) });
  }
  return found;
}

/** The folder beside `bin` that builds with libraries of their own keep them in. */
async function listOwnLibraries(ffmpeg: string): Promise<string[]> {
  const folder = join(dirname(dirname(ffmpeg)), 'lib');
  const names = basename(dirname(ffmpeg)) === 'bin' ? await readdir(folder).catch(() => []) : [];
  return names.some((name) => name.startsWith('libavcodec.')) ? [folder] : [];
}

async function isProgram(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function makeToolFailure(message: string): StepFailure {
  return new StepFailure({ is: 'tool-missing' }, message);
}

/** The oldest FFmpeg that is taken without having been asked for. */
const oldestVersion = '7.1';
// Builds from the middle of development bear no version, but the number of their codecs' library: 7.1 began with this one.
const oldestLibrary = { major: 61, minor: 19 };
const quickMs = 10_000;

interface FfmpegBuild {
  /** For people. */
  readonly version: string;
  /** Whether it may be taken from the PATH. */
  readonly isNewEnough: boolean;
  /** Whether it was built with what maps a wide range of light to the ordinary one. */
  readonly mapsTones: boolean;
}

/** Which FFmpeg a program is. One that does not answer is not new enough. */
async function readFfmpegVersion(program: string): Promise<FfmpegBuild> {
  const env = { PATH: '/usr/bin:/bin' };
  const { stdout } = await runTool({ command: program, args: ['-version'], env, timeoutMs: quickMs }).catch(() => ({ stdout: '' }));
  const [, major, minor] = (/^libavcodec\s+(\d+)\.\s*(\d+)/m.exec(stdout) ?? []).map(Number);
  const isNewEnough =
    major !== undefined &&
    minor !== undefined &&
    (major > oldestLibrary.major || (major === oldestLibrary.major && minor >= oldestLibrary.minor));
  const version = /^ffmpeg version (\S+)/m.exec(stdout)?.[1] ?? 'of unknown version';
  return { version, isNewEnough, mapsTones: stdout.includes('--enable-libzimg') };
}
