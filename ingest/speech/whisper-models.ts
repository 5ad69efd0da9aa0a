import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { serverLimits } from '#contract/limits.ts';
import { sha256OfFile } from '#domain/files/sha256.ts';
import { ensureSpace } from '#domain/files/stage-file.ts';
import { askOutside } from '#domain/networks/ask-outside.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { findModelsHere, findRemovedModels, noteLacking } from '#domain/videos/fetched-models.ts';
import type { IngestContext } from '../ingest-context.ts';

/** A model of Whisper in the form of whisper.cpp that can be fetched: its size and its checksum are known. */
export interface WhisperModel {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly goodAt: string;
}

/** Where they come from; RUSHES_MODEL_HUB says by which server. */
export const whisperRepository = {
  name: 'ggerganov/whisper.cpp',
  revision: '5359861c739e955e79d9a303bcbc70fb988958b1',
  licence: 'MIT',
};

/** What whoever made them says of them; they were not measured on footage here. */
const notMeasured = 'Not measured here.';

/** The better ones first, and those for English before others of their size. */
export const whisperModels: readonly WhisperModel[] = [
  {
    name: 'small.en',
    bytes: 487_614_201,
    sha256: 'c6138d6d58ecc8322097e0f987c32f1be8bb0a18532a3f88f734d1bbf9c41e5d',
    goodAt: `English. Fewer errors than base.en, about three times as slow. ${notMeasured}`,
  },
  {
    name: 'small',
    bytes: 487_601_967,
    sha256: '1be3a9b2063867b937e64e2ec7483364a79917e157fa98c5d94b5c1fffea987b',
    goodAt: `Many languages. Fewer errors than base, about three times as slow. ${notMeasured}`,
  },
  {
    name: 'base.en',
    bytes: 147_964_211,
    sha256: 'a03779c86df3323075f5e796cb2ce5029f00ec8869eee3fdfb897afe36c6d002',
    goodAt: `English. The smallest model worth using. ${notMeasured}`,
  },
  {
    name: 'base',
    bytes: 147_951_465,
    sha256: '60ed5bc3dd14eea856493d334349b405782ddcaf0028d4b5df4088345fba2efe',
    goodAt: `Many languages. The smallest model worth using. ${notMeasured}`,
  },
];

/** What its file is called, here and there. */
export function nameWhisperFile({ name }: Pick<WhisperModel, 'name'>): string {
  return `ggml-${name}.bin`;
}

/** Whether it was fetched into this folder. */
export async function isModelHere(folder: string, model: Pick<WhisperModel, 'name'>): Promise<boolean> {
  return await stat(join(folder, nameWhisperFile(model))).then(
    (file) => file.isFile(),
    () => false,
  );
}

/** Whether a model hears English only, by its name. */
export function isEnglishOnly(name: string): boolean {
  return /\.en\b/.test(name);
}

/** Where a model is fetched from and to. */
interface Fetching {
  readonly model: WhisperModel;
  /** The address before the repository's name. */
  readonly hub: string;
  readonly folder: string;
  readonly reserveBytes: number;
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
  readonly patience?: Patience;
}

interface Patience {
  /** How long nothing may come. */
  readonly silenceMs: number;
  /** Before each further try in a row that brought nothing. */
  readonly waitsMs: readonly number[];
}

const patient: Patience = { silenceMs: serverLimits.fetchedModelSilenceMaxMs, waitsMs: [1_000, 5_000, 15_000, 60_000] };

/**
 * Fetches a model file into the folder, behind what came of it before; it is put in its place only when its size and checksum are right.
 * Throws with a sentence for people where it cannot be had, and an `AbortError` where `signal` was raised: then the next call goes on.
 */
export async function fetchModel(fetching: Fetching): Promise<void> {
  const { model, folder, reserveBytes, signal, patience = patient } = fetching;
  await mkdir(folder, { recursive: true });
  const place = join(folder, nameWhisperFile(model));
  const draft = `${place}.part`;
  for (let inVain = 0; (await sizeOf(draft)) < model.bytes; ) {
    const before = await sizeOf(draft);
    await ensureSpace([folder], model.bytes - before, reserveBytes);
    const why = await fetchMore(fetching, draft).then(
      () => 'the connection was lost',
      (error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof Unusable) throw error;
        return errorMessageOf(error);
      },
    );
    inVain = (await sizeOf(draft)) > before ? 0 : inVain + 1;
    const waitMs = patience.waitsMs[inVain - 1] ?? (inVain === 0 ? patience.waitsMs[0] : undefined);
    if (waitMs === undefined) throw new Error(`The model could not be downloaded: ${why}.`);
    if ((await sizeOf(draft)) < model.bytes) await wait(waitMs, undefined, { signal });
  }
  if ((await sha256OfFile(draft)) !== model.sha256) {
    await rm(draft, { force: true });
    throw new Unusable('The downloaded file has the wrong checksum. It was deleted.');
  }
  await rename(draft, place);
}

/** A model that a machine does not have yet, and why a machine could not fetch it; null where none has failed. */
interface LackingModel extends WhisperModel {
  readonly failure: string | null;
}

/** Models that another machine has, and this one not yet. */
export async function findLackingModels(
  { pool, folder }: Pick<IngestContext, 'pool' | 'folder'>,
  models: readonly WhisperModel[] = whisperModels,
): Promise<LackingModel[]> {
  const failures = new Map((await findModelsHere(pool)).map(({ name, message }) => [name, message]));
  const wanted = models.filter(({ name }) => failures.has(name)).map((model) => ({ ...model, failure: failures.get(model.name) ?? null }));
  const isHere = await Promise.all(wanted.map((model) => isModelHere(folder.models, model)));
  return wanted.filter((_, n) => !isHere[n]);
}

const lookEveryMs = 1_000;
const aMinuteMs = 60_000;
const longestWaitMinutes = 60;

/** How often in a row this machine could not have a model, by its name, and when it tries again. */
type TriedModels = Map<string, { readonly times: number; readonly againMs: number }>;

interface FetchingLacking {
  readonly signal: AbortSignal;
  /** Kept from call to call. */
  readonly tried: TriedModels;
  readonly models?: readonly WhisperModel[];
  readonly now?: number;
}

/**
 * Fetches to this machine what an administrator has had fetched to another one, or what this one has lost; what cannot be had is noted, and tried
 * again by a later call, after longer and longer waits. Returns how many came.
 */
export async function fetchLackingModels(
  context: Pick<IngestContext, 'pool' | 'folder' | 'speech' | 'reserveBytes'>,
  { signal, tried, models = whisperModels, now = Date.now() }: FetchingLacking,
): Promise<number> {
  const { pool, folder, speech, reserveBytes } = context;
  let came = 0;
  const lacking = await findLackingModels(context, models);
  for (const model of lacking.filter(({ name }) => now >= (tried.get(name)?.againMs ?? 0))) {
    const unwanted = new AbortController();
    const look = async () => {
      if (!(await findModelsHere(pool)).some(({ name }) => name === model.name)) unwanted.abort();
    };
    const looking = setInterval(() => void look().catch(() => {}), lookEveryMs);
    try {
      const either = AbortSignal.any([signal, unwanted.signal]);
      await fetchModel({ model, hub: speech.modelHub, folder: folder.models, reserveBytes, signal: either, onBytes: () => {} });
      came += 1;
      tried.delete(model.name);
      // A worker that ran here before may have noted it.
      await noteLacking(pool, model.name, null);
    } catch (error) {
      if (signal.aborted) return came;
      if (unwanted.signal.aborted) continue;
      const times = (tried.get(model.name)?.times ?? 0) + 1;
      tried.set(model.name, { times, againMs: now + Math.min(2 ** times, longestWaitMinutes) * aMinuteMs });
      await noteLacking(pool, model.name, `One machine still lacks it. ${errorMessageOf(error)}`);
    } finally {
      clearInterval(looking);
    }
  }
  return came;
}

/**
 * Takes away the models that an administrator has had removed, whichever machine heard of that; what was put in place by hand stays. Returns how
 * many there were.
 */
export async function removeUnwantedModels(
  { pool, folder }: Pick<IngestContext, 'pool' | 'folder'>,
  models: readonly WhisperModel[] = whisperModels,
): Promise<number> {
  const names = await findRemovedModels(pool);
  let gone = 0;
  for (const model of models.filter(({ name }) => names.includes(name))) {
    if (await isModelHere(folder.models, model)) gone += 1;
    await removeModel(folder.models, model);
  }
  return gone;
}

/** Takes away a model, and what has come of one. */
export async function removeModel(folder: string, model: WhisperModel): Promise<void> {
  const place = join(folder, nameWhisperFile(model));
  for (const path of [place, `${place}.part`]) await rm(path, { force: true });
}

/** What no other try would make good. */
class Unusable extends Error {}

/** Asks for what is missing, and writes what comes. */
async function fetchMore({ model, hub, signal, onBytes, patience = patient }: Fetching, draft: string): Promise<void> {
  const here = await sizeOf(draft);
  const silence = new AbortController();
  const clock = setTimeout(() => silence.abort(new Error('the server stopped sending')), patience.silenceMs);
  try {
    const url = `${hub}/${whisperRepository.name}/resolve/${whisperRepository.revision}/${nameWhisperFile(model)}`;
    // Compressed, the bytes would be others than those that were asked for.
    const headers = { 'accept-encoding': 'identity', ...(here > 0 ? { range: `bytes=${here}-` } : {}) };
    const response = await askOutside(url, { headers, signal: AbortSignal.any([signal, silence.signal]) });
    let bytes = await placeOf(response, here);
    await using file = await open(draft, 'a', 0o600);
    if (bytes === 0) await file.truncate(0);
    for await (const part of response.body ?? []) {
      clock.refresh();
      bytes += part.length;
      if (bytes > model.bytes) {
        await file.truncate(0);
        throw new Unusable(`The downloaded file is larger than the model’s ${model.bytes.toLocaleString('en')} bytes. It was deleted.`);
      }
      await file.writeFile(part);
      onBytes(bytes);
    }
    await file.sync();
  } finally {
    clearTimeout(clock);
  }
}

/** Where what comes belongs: behind what is here, or at the start where the whole is sent. Throws for any other answer. */
async function placeOf(response: Response, here: number): Promise<number> {
  const { status } = response;
  if (status === 200) return 0;
  const from = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
  if (status === 206 && Number(from) === here) return here;
  await response.body?.cancel();
  if (status >= 500 || status === 429) throw new Error(`its server answered ${status}`);
  throw new Unusable(`The model could not be downloaded: its server answered ${status}.`);
}

async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
