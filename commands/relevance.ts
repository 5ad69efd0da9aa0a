import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openArchive } from '#domain/archive/open-archive.ts';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { readIndexState } from '#domain/files/index-state.ts';
import { openArchiveSearch } from '#domain/search/open-search.ts';
import { indexFormat } from '#domain/search-index/index-row.ts';
import { errorCodeOf } from '#domain/system/error-code.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { OperatorFault } from '#domain/system/operator-fault.ts';
import { countUnindexed } from '#domain/videos/counts.ts';
import { readIngestConfig } from '#ingest/config.ts';
import { addPin } from './relevance/add-pin.ts';
import { type AskedArchive, askPins, lineOf, recordOf } from './relevance/ask-pin.ts';
import { readLastPlaces, writeLastPlaces } from './relevance/last-places.ts';
import { keyOfPin } from './relevance/pin.ts';
import { RelevanceFault, readPins } from './relevance/pins-file.ts';
import { log, print, runCommand } from './run-command.ts';

const usage = `Usage: npm run relevance                                                          ask every pin; exit code 1 when one fails
       npm run relevance -- --pin "QUERY" VIDEO_ID [hh:mm:ss] [--within PLACES]   add a pin (within 3 places)
Both: --file PATH   the pins, instead of relevance.json in the data folder. Asking: --json   one JSON object a line`;

/** Pages of one pin go on with its order. */
const keptBytes = 50_000_000;

await runCommand(() => run(readArguments()));

type Arguments = ReturnType<typeof parseArguments>;

function parseArguments() {
  const options = { pin: { type: 'string' }, within: { type: 'string' }, file: { type: 'string' }, json: { type: 'boolean' } } as const;
  return parseArgs({ allowPositionals: true, options });
}

function readArguments(): Arguments {
  try {
    const given = parseArguments();
    const { values, positionals } = given;
    const fits =
      values.pin === undefined ? positionals.length === 0 && values.within === undefined : positionals.length > 0 && positionals.length < 3;
    if (fits) return given;
  } catch (error) {
    throw new RelevanceFault(`${errorMessageOf(error)}\n${usage}`);
  }
  throw new RelevanceFault(usage);
}

/** Returns the exit code: 1 when a pin fails. */
async function run({ values, positionals }: Arguments): Promise<number> {
  const config = readIngestConfig();
  const { dataFolder } = config;
  const file = values.file === undefined ? join(dataFolder, 'relevance.json') : resolve(values.file);
  const pins = await readPins(file);
  const [video, at] = positionals;
  const adds = values.pin !== undefined && video !== undefined ? { query: values.pin, video, at, within: values.within } : undefined;
  if (!adds && !pins?.length) throw new RelevanceFault(`There are no pins in ${file} yet.\n${usage}`);
  const folder = archiveFolderIn(dataFolder).index;
  await refuseNoIndex(folder);
  const database = await openArchive(config, { maxConnections: 2 }).catch((error: unknown) => {
    if (error instanceof OperatorFault) throw error;
    const reason = errorMessageOf(error) || errorCodeOf(error);
    throw new RelevanceFault(`The database cannot be used (${reason}). Start it, or correct DATABASE_URL or RUSHES_DATA.`);
  });
  const { pool } = database;
  const search = openArchiveSearch({ pool, indexFolder: folder, budgetBytes: keptBytes });
  try {
    const archive = { pool, search };
    const waiting = await countUnindexed(pool);
    if (waiting > 0) log(`${waiting} videos are not in the search index yet: the places are those without them.`);
    if (adds) print(await addPin(archive, adds, { file, pins: pins ?? [] }));
    return adds ? 0 : await askAll(archive, { file, pins: pins ?? [], json: values.json === true });
  } finally {
    search.close();
    await database.close();
  }
}

async function askAll(
  archive: AskedArchive,
  { file, pins, json }: { file: string; pins: Parameters<typeof askPins>[1]; json: boolean },
): Promise<number> {
  const asked = await askPins(archive, pins, await readLastPlaces(file));
  for (const each of asked) print(json ? recordOf(each) : lineOf(each));
  const failed = asked.filter(({ holds }) => !holds).length;
  const moved = asked.filter((each) => each.moved).length;
  if (!json) print(`Pins that hold: ${asked.length - failed}, that fail: ${failed}, that moved since last time: ${moved}.`);
  await writeLastPlaces(file, Object.fromEntries(asked.map(({ pin, place }) => [keyOfPin(pin), place]))).catch((error: unknown) =>
    log(`The places could not be noted beside ${file} (${errorCodeOf(error)}); the next run cannot say what moved since this one.`),
  );
  return failed > 0 ? 1 : 0;
}

/** Before anything is opened: a wrong data folder must not become an archive. */
async function refuseNoIndex(folder: string): Promise<void> {
  const state = await readIndexState(folder);
  if (state?.format === indexFormat) return;
  const what = state ? 'The search index is of another version of Rushes' : `There is no search index in ${folder}`;
  throw new RelevanceFault(`${what}. Check RUSHES_DATA, then start the archive or run npm run reindex, and ask again.`);
}
