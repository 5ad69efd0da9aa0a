import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { type FilmFacts, keepLayers, type Layer, layersOf, type Maker } from '../moments/layers.ts';
import { type PackedMoments, unpackMoments } from '../moments/packed-moments.ts';
import { packedRow } from '../moments/packed-row.ts';
import { errorMessageOf } from '../system/error-message.ts';
import { pause } from '../system/pause.ts';

type SayOfVideo = (sentence: string, about: { video: string | undefined; error: unknown }) => void;

/** Of so many, the longest films are locked for well under a second. */
const videosPerBatch = 50;

/**
 * Gives every published video of an archive that is older than layers its own, a batch at a time and at half the speed it could, while the archive
 * goes on. Ended at any moment, it goes on where it was. What videos say does not change, so search hears nothing of it. Returns how many
 * videos got their layers; one whose row cannot be read is told to `log` and left as it is.
 */
export async function giveLayersToArchive(pool: Pool, { signal, log }: { signal: AbortSignal; log: SayOfVideo }): Promise<number> {
  let done = 0;
  let afterId = '';
  for (;;) {
    const ids = await findWithoutLayers(pool, afterId);
    const last = ids.at(-1);
    if (last === undefined || signal.aborted) return done;
    const startedAtMs = performance.now();
    done += await giveLayersToBatch(pool, ids, log);
    afterId = last;
    await pause(performance.now() - startedAtMs, signal);
  }
}

async function findWithoutLayers(pool: Pool, afterId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(sql`
    select v.id from videos v
     where v.id > ${afterId} and v.published_at is not null and not exists (select from layers where video_id = v.id)
     order by v.id limit ${videosPerBatch}`);
  return rows.map(({ id }) => id);
}

/** All at once; one by one where one of them stands in the way. */
async function giveLayersToBatch(pool: Pool, ids: readonly string[], log: SayOfVideo): Promise<number> {
  try {
    await inTransaction(pool, (db) => giveLayers(db, ids));
    return ids.length;
  } catch (error) {
    const [id] = ids;
    if (ids.length > 1) {
      let done = 0;
      for (const one of ids) done += await giveLayersToBatch(pool, [one], log);
      return done;
    }
    log(`video ${id}: its layers could not be made: ${errorMessageOf(error)}`, { video: id, error });
    return 0;
  }
}

/**
 * Gives those of these videos that have no layers the ones that come to what they say: videos of an archive that is older than layers, and
 * new ones. Within the transaction of `db`, which holds them from then on.
 */
export async function giveLayers(db: Db, videoIds: readonly string[]): Promise<void> {
  await db.query(sql`select from videos where id = any (${videoIds}::text[]) order by id for update`);
  const { rows } = await db.query<WithoutLayers>(sql`
    select v.id, v.name, v.external_id as "externalId", v.description, v.owner, v.recorded_at as "recordedAt", v.place, v.language,
           v.rights, v.people, v.labels, v.brands, v.origin, ${packedRow.columns}
      from videos v ${packedRow.join}
     where v.id = any (${videoIds}::text[]) and not exists (select from layers where video_id = v.id)`);
  await keepLayers(
    db,
    rows.flatMap((row) => layersOfVideo(row).map((layer) => ({ videoId: row.id, layer, ...makerOf(row, layer) }))),
  );
}

/** Who makes the layers of a catalogue record. */
export const recordImport: Maker = { madeBy: 'record', version: 1 };

interface WithoutLayers extends FilmFacts, PackedMoments {
  readonly id: string;
  readonly people: readonly string[];
  readonly labels: readonly string[];
  readonly brands: readonly string[];
  readonly origin: 'file' | 'catalogue';
}

function layersOfVideo({ people, labels, brands, body, wordStarts, engines, ...row }: WithoutLayers): Layer[] {
  const { name, externalId, description, owner, recordedAt, place, language, rights } = row;
  const facts = { name, externalId, description, owner, recordedAt, place, language, rights };
  return layersOf({ facts, people, labels, brands, moments: unpackMoments(body, { wordStarts, engines }) });
}

/** Who would have made a layer: the import of catalogue records, else the step that reads what came with a film. */
function makerOf({ origin }: WithoutLayers, { name }: Layer): Maker {
  if (origin === 'catalogue') return recordImport;
  return { madeBy: name === 'captions' ? 'captions' : 'facts', version: 1 };
}
