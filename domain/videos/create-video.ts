import { randomBytes } from 'node:crypto';
import { readFact } from '../db/archive-facts.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { sha256Of } from '../files/sha256.ts';
import { compose } from '../moments/compose.ts';
import { findErasures, isForgottenName } from '../moments/erasures.ts';
import { keepLayers, type Layer, layersOf } from '../moments/layers.ts';
import { isNobody } from '../moments/moment.ts';
import { writePackedRows } from '../moments/write-packed-rows.ts';
import { type CatalogueRecord, momentsOfRecord } from './catalogue-record.ts';
import { recordImport } from './give-layers.ts';
import { type NamedFact, namesOf } from './named-fact.ts';
import { fallbackLanguage, type Video } from './video.ts';

type KnownAtFirst = 'id' | 'name' | 'externalId' | 'description' | 'owner' | 'recordedAt' | 'place' | 'language' | 'rights';

/** What is known of footage before it is analysed. */
export interface NewVideo extends Pick<Video, KnownAtFirst | 'people' | 'labels' | 'brands'> {
  readonly contentHash: string;
  readonly fileName: string;
  readonly sizeBytes: number;
}

/** Adds footage that waits for its analysis. Returns false when its content is in the archive already, also as a film that failed. */
export async function createVideo(db: Db, video: NewVideo): Promise<boolean> {
  const forgotten = await findErasures(db, [video.id]);
  const people = video.people.filter((name) => !isForgottenName(name, forgotten));
  const { rowCount } = await db.query(sql`
    insert into videos (id, state, name, external_id, description, owner, recorded_at, place, language, rights,
                        people, labels, brands, origin, content_hash, file_name, size_bytes)
    values (${video.id}, 'Uploaded', ${video.name}, ${video.externalId}, ${video.description}, ${video.owner}, ${video.recordedAt},
            ${video.place}, ${video.language}, ${video.rights}, ${people}, ${video.labels}, ${video.brands}, 'file',
            ${video.contentHash}, ${video.fileName}, ${video.sizeBytes})
    on conflict (content_hash) do nothing`);
  return rowCount === 1;
}

/** The id of the video whose original has this content, unless the archive lacks it or gave it up. */
export async function findByContentHash(db: Db, contentHash: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(sql`select id from videos where content_hash = ${contentHash} and state <> 'Failed'`);
  return rows[0]?.id;
}

/** A video that failed, with this content: what could not be done may succeed in another try. */
export async function findFailedByContentHash(db: Db, contentHash: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(sql`select id from videos where content_hash = ${contentHash} and state = 'Failed'`);
  return rows[0]?.id;
}

interface CatalogueVideo {
  readonly id: string;
  readonly name: string;
  readonly externalId: string;
}

/**
 * Publishes catalogue records as videos without media, a batch in one transaction. A record whose id the archive
 * already holds is left alone, so a second import adds nothing, and so is one whose id in another service is taken here. `note` writes
 * in the same transaction what else belongs to those that are added. Returns these.
 */
export async function createCatalogueVideos(
  pool: Pool,
  given: readonly CatalogueRecord[],
  note: (db: Db, added: readonly CatalogueVideo[]) => Promise<void> = async () => {},
): Promise<CatalogueVideo[]> {
  return await inTransaction(pool, async (db) => {
    const records = await withoutForgottenPeople(db, given);
    // In an order of their own: two imports of the same records wait for each other then, and never both.
    const rows = records.map(rowOfRecord).sort((a, b) => (a.contentHash < b.contentHash ? -1 : a.contentHash > b.contentHash ? 1 : 0));
    const { rows: added } = await db.query<CatalogueVideo & { contentHash: string }>(sql`
      insert into videos (id, state, name, external_id, language, description, owner, recorded_at, place, rights,
                          people, labels, brands, origin, content_hash,
                          duration_seconds, streaming_preset, processing_percent, published_at, revision)
      select r.id, 'Processed', r.name, r."externalId", r.language, r.description, r.owner, r."recordedAt", r.place, r.rights,
             array(select jsonb_array_elements_text(r.people)), array(select jsonb_array_elements_text(r.labels)),
             array(select jsonb_array_elements_text(r.brands)), 'catalogue', r."contentHash",
             r."durationSeconds", 'NoStreaming', 100, now(), 1
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as r (id text, name text, "externalId" text, language text, description text, owner text, "recordedAt" text,
                place text, rights text, people jsonb, labels jsonb, brands jsonb,
                "contentHash" text, "durationSeconds" double precision)
          on conflict do nothing
      returning id, name, external_id as "externalId", content_hash as "contentHash"`);
    await insertMoments(db, records, new Map(added.map((video) => [video.contentHash, video.id])));
    await note(db, added);
    return added.map(({ id, name, externalId }) => ({ id, name, externalId }));
  });
}

/** Records without the people who are to be named nowhere in this archive. */
export async function withoutForgottenPeople(db: Db, records: readonly CatalogueRecord[]): Promise<CatalogueRecord[]> {
  const forgotten = await findErasures(db, []);
  const isKept = (person: NamedFact) => !namesOf([person]).some((name) => isForgottenName(name, forgotten));
  return records.map((record) => ({ ...record, people: record.people.filter(isKept) }));
}

/** The videos that these records are in the archive, whoever brought them, but for those that are deleted. */
export async function findVideosOfRecords(db: Db, records: readonly CatalogueRecord[]): Promise<Omit<CatalogueVideo, 'externalId'>[]> {
  const { rows } = await db.query<{ id: string; name: string }>(sql`
    select id, name from videos
     where content_hash = any (${records.map(hashOfRecord)}::text[]) and origin = 'catalogue' and state = 'Processed'`);
  return rows;
}

interface KnownRecord {
  readonly id: string;
  readonly name: string;
  readonly isDeleted: boolean;
}

/** The video for which each of these records would be left alone; null for one that would be added. */
export async function findCatalogueVideos(db: Db, records: readonly CatalogueRecord[]): Promise<(KnownRecord | null)[]> {
  const hashes = records.map(hashOfRecord);
  const ids = records.flatMap(({ videoId }) => videoId ?? []);
  const { rows } = await db.query<KnownRecord & { contentHash: string | null }>(sql`
    select id, name, state = 'Quarantined' as "isDeleted", content_hash as "contentHash"
      from videos where content_hash = any(${hashes}) or id = any(${ids})`);
  return records.map(({ videoId }, n) => {
    const found = rows.find(({ id, contentHash }) => contentHash === hashes[n] || id === videoId);
    return found ? { id: found.id, name: found.name, isDeleted: found.isDeleted } : null;
  });
}

/** Their layers, and what these come to. */
async function insertMoments(db: Db, records: readonly CatalogueRecord[], ids: ReadonlyMap<string, string>): Promise<void> {
  const layers = new Map<string, readonly Layer[]>();
  for (const record of records) {
    const id = ids.get(hashOfRecord(record));
    if (id !== undefined && !layers.has(id)) layers.set(id, layersOfRecord(record));
  }
  await keepLayers(
    db,
    [...layers].flatMap(([videoId, all]) => all.map((layer) => ({ videoId, layer, ...recordImport }))),
  );
  await writePackedRows(db, new Map([...layers].map(([videoId, all]) => [videoId, compose(all, []).moments])));
  await db.query(sql`select pg_notify('videos_to_index', id) from unnest(${[...layers.keys()]}::text[]) as t (id)`);
}

function layersOfRecord(record: CatalogueRecord): Layer[] {
  const { people, labels, brands, ...row } = rowOfRecord(record);
  const { name, externalId, language, description, owner, recordedAt, place, rights } = row;
  const facts = { name, externalId, language, description, owner, recordedAt, place, rights };
  return layersOf({ facts, people, labels, brands, moments: momentsOfRecord(record) });
}

function rowOfRecord(record: CatalogueRecord) {
  const externalId = externalIdOf(record);
  const { description, owner, recordedAt, place, rights } = record;
  return {
    id: record.videoId ?? makeVideoId(),
    description,
    owner,
    recordedAt,
    place,
    rights,
    name: record.title || externalId,
    externalId,
    language: record.language ?? fallbackLanguage,
    people: namesOf(record.people).filter((name) => !isNobody(name)),
    labels: namesOf(record.labels),
    brands: namesOf(record.brands),
    contentHash: hashOfRecord(record),
    durationSeconds: record.durationSeconds,
  };
}

/** Tells one record from another, as the bytes of an original do. */
function hashOfRecord(record: CatalogueRecord): string {
  return sha256Of(`catalogue:${record.id}`);
}

// NUL cannot be stored in PostgreSQL text.
function externalIdOf(record: CatalogueRecord): string {
  return (record.externalId ?? record.id).replaceAll('\u0000', ' ').toWellFormed();
}

/** Whether no film has this id. */
export async function isFreeVideoId(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`select from videos where id = ${id}`);
  return rowCount === 0;
}

/** A fresh id in the form that the video service gives: ten hexadecimal digits. */
export function makeVideoId(): string {
  return randomBytes(5).toString('hex');
}

/** Whether the sample films are to be brought in: the archive never held a video, or a start that brought them was cut off. */
export async function awaitsSamples(db: Db): Promise<boolean> {
  await db.query(sql`
    insert into archive_facts (name, value)
    select 'samples', case when exists (select 1 from videos) then 'settled' else 'awaited' end
    on conflict (name) do nothing`);
  return (await readFact(db, 'samples')) === 'awaited';
}

/** Remembers for good that the samples are in, so that none comes back after it was deleted. */
export async function settleSamples(db: Db): Promise<void> {
  await db.query(sql`update archive_facts set value = 'settled' where name = 'samples'`);
}
