import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { refuseNetworkDisk } from '#domain/db/own-postgres/pg-place.ts';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { findFullestDisk, listLocalMedia } from '#domain/files/stage-file.ts';
import { errorCodeOf } from '#domain/system/error-code.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { isKeptPrivately } from '#domain/system/keep-private.ts';
import { findMediaTools, isTooOld } from '#ingest/open-ingest.ts';
import { nameWhisperFile, whisperModels } from '#ingest/speech/whisper-models.ts';
import { findSandbox } from '#ingest/tools/sandbox.ts';
import { walls } from '#ingest/tools/standing-walls.ts';
import { type Finding, makeFault, makeHint } from './finding.ts';
import type { Settings } from './look-at-settings.ts';

interface Machine {
  /** The number by which Linux knows the kind of a folder's disk, where it is not asked. */
  readonly diskType?: number | undefined;
}

/** The data folder, its disk, and what reads footage. Changes nothing. */
export async function lookAtMachine(settings: Settings, machine: Machine): Promise<Finding[]> {
  const folder = await lookAtDataFolder(settings, machine);
  const tools = await lookAtTools(settings);
  return [...folder, ...tools, ...lookAtModels(settings)];
}

async function lookAtDataFolder({ config }: Settings, { diskType }: Machine): Promise<Finding[]> {
  const { dataFolder, databaseUrl, allowsFuse, diskReserveBytes, s3 } = config;
  const findings: Finding[] = [];
  const found = statSync(dataFolder, { throwIfNoEntry: false });
  if (!found) return lookAtParent(dataFolder);
  if (!found.isDirectory())
    return [makeFault('data folder', `RUSHES_DATA: ${dataFolder} is not a folder.`, 'Set it to a folder, or to one that can be created.')];
  if (!isWritable(dataFolder)) {
    const whatToDo = `Make the archive’s user its owner (chown -R rushes ${dataFolder}), and check that its disk is not mounted read-only.`;
    findings.push(makeFault('data folder', `RUSHES_DATA: ${dataFolder} is not writable.`, whatToDo));
  }
  if (!isKeptPrivately(dataFolder)) {
    const says = `RUSHES_DATA: other users of this machine can read ${dataFolder}, which contains keys, sessions and addresses.`;
    findings.push(makeFault('open folder', says, `Run chmod 700 ${dataFolder}; the next start also does this if it can.`));
  }
  const media = listLocalMedia({ folder: archiveFolderIn(dataFolder), store: { isShared: s3 !== undefined } });
  const { folder, freeBytes } = await findFullestDisk([dataFolder, ...media]);
  if (freeBytes < diskReserveBytes) {
    const says = `The disk of ${folder} has ${Math.floor(freeBytes / 1e6).toLocaleString('en')} MB left, below RUSHES_DISK_RESERVE_MB: nothing can be added.`;
    findings.push(makeFault('disk', says, 'Free some space, or move that folder to a larger disk.'));
  }
  if (databaseUrl === undefined) {
    try {
      const pg = join(dataFolder, 'pg');
      refuseNetworkDisk(existsSync(pg) ? pg : dataFolder, { allowsFuse, ...(diskType === undefined ? {} : { type: diskType }) });
    } catch (error) {
      findings.push(makeFault('network disk', errorMessageOf(error), 'The database’s locks only work on a disk of this machine.'));
    }
  }
  return findings;
}

function lookAtParent(dataFolder: string): Finding[] {
  let parent = join(dataFolder, '..');
  while (!existsSync(parent)) parent = join(parent, '..');
  if (statSync(parent).isDirectory() && isWritable(parent)) return [];
  return [
    makeFault(
      'data folder',
      `RUSHES_DATA: ${dataFolder} cannot be created in ${parent}.`,
      'Create it for the archive’s user, or name another folder.',
    ),
  ];
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function lookAtTools({ config, ingest }: Settings): Promise<Finding[]> {
  if (config.roles === 'web') return [];
  const findings: Finding[] = [];
  try {
    const sandbox = await findSandbox(ingest.dataFolder);
    const open = walls.filter((wall) => !sandbox.walls.includes(wall));
    if (open.length > 0) {
      const says = `The sandbox for reading footage is incomplete. It could: ${open.join(', ')}.`;
      const whatToDo =
        'Let the worker create namespaces (docs/operations.md, “What ingest may do”; Ubuntu forbids them by default), or install bubblewrap.';
      findings.push(
        ingest.strict
          ? makeFault('walls', `${says} RUSHES_STRICT_INGEST=1 keeps ingest from starting without it.`, whatToDo)
          : makeHint('walls', says, whatToDo),
      );
    }
    const tools = await findMediaTools(ingest, sandbox);
    const old = await isTooOld(ingest);
    if (old)
      findings.push(
        makeFault(
          'ffmpeg',
          `${tools.name} is older than ${old.oldest}: some videos are read wrongly or not at all.`,
          'Install a newer one, or remove FFMPEG_PATH: one comes with the archive.',
        ),
      );
  } catch (error) {
    findings.push(makeFault('ffmpeg', errorMessageOf(error), 'Without it, no footage can be read.'));
  }
  return findings;
}

/** What whisper.cpp's models begin with: `ggml`, as a number of this machine. */
const modelMark = 0x67676d6c;

function lookAtModels({ ingest }: Settings): Finding[] {
  const { models } = archiveFolderIn(ingest.dataFolder);
  const fetched = whisperModels.map((model) => ({ path: join(models, nameWhisperFile(model)), bytes: model.bytes }));
  const here = fetched.filter(({ path }) => existsSync(path));
  const own = ingest.speech.whisperModel ? [{ path: ingest.speech.whisperModel, bytes: undefined }] : [];
  return [...own, ...here].flatMap(({ path, bytes }) => {
    const wrong = wrongWithModel(path, bytes);
    return wrong === undefined
      ? []
      : [
          makeFault(
            'model',
            `The model ${path} cannot be used: ${wrong}.`,
            'Download it again under Admin, Engines, or correct RUSHES_WHISPER_MODEL.',
          ),
        ];
  });
}

function wrongWithModel(path: string, bytes: number | undefined): string | undefined {
  try {
    if (bytes !== undefined && statSync(path).size !== bytes) return `it has ${statSync(path).size} bytes instead of ${bytes}`;
    const beginning = Buffer.alloc(4);
    const file = openSync(path, 'r');
    readSync(file, beginning, 0, 4, 0);
    closeSync(file);
    return beginning.readUInt32LE(0) === modelMark ? undefined : 'it is not a whisper.cpp model';
  } catch (error) {
    return errorCodeOf(error) === 'ENOENT' ? 'it is missing' : errorMessageOf(error);
  }
}
