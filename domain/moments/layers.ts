import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { type Erasure, findErasures, isForgottenName, withoutForgottenFaces } from './erasures.ts';
import { FaceGroup } from './faces.ts';
import { Keyword } from './keyword.ts';
import type { Moment, MomentKind } from './moment.ts';
import { type PackedMoments, packMoments, unpackMoments } from './packed-moments.ts';

const text = z.string().nullable();

/** What is true of a film as a whole, beside who and what is in it. */
export const FilmFacts = z.object({
  name: z.string(),
  externalId: text,
  description: text,
  owner: text,
  recordedAt: text,
  place: text,
  language: z.string(),
  rights: text,
});
export type FilmFacts = z.infer<typeof FilmFacts>;

const share = z.number().min(0).max(1);

/** Where a written text stands: a part of the picture, as fractions of its width and height. */
export const TextPlace = z.object({ x: share, y: share, width: share, height: share });
export type TextPlace = z.infer<typeof TextPlace>;

/** What one step or import found of a film, by what it is about. Names are those of the whole film, moments say when. */
export type Layer =
  | { readonly name: 'catalogue'; readonly facts: FilmFacts }
  /** The film's language, as a machine told it by what is said; there is none where what came with the film names it. */
  | { readonly name: 'language'; readonly language: string }
  /** `stillsMs`: at which millisecond the still of each shot stands, or null where it has none; nobody drew any where it is missing. */
  | { readonly name: 'shots'; readonly startsMs: readonly number[]; readonly stillsMs?: readonly (number | null)[] | undefined }
  | { readonly name: 'faces'; readonly groups: readonly FaceGroup[] }
  | { readonly name: 'keywords'; readonly keywords: readonly Keyword[] }
  /** Where somebody speaks: starts and ends in milliseconds. */
  | { readonly name: 'voice'; readonly stretchesMs: readonly (readonly [startMs: number, endMs: number])[] }
  | { readonly name: 'captions'; readonly moments: readonly Moment[] }
  /** `places`: where in the picture each of its moments stands, which are in order of time. */
  | { readonly name: 'text'; readonly moments: readonly Moment[]; readonly places?: readonly TextPlace[] | undefined }
  | { readonly name: NamesLayer; readonly names: readonly string[]; readonly moments: readonly Moment[] };

export const namesLayers = ['people', 'labels', 'brands'] as const;
export type NamesLayer = (typeof namesLayers)[number];
export type LayerName = Layer['name'];

/** Those that hold moments. */
type LayerOfMoments = Extract<Layer, { readonly moments: readonly Moment[] }>['name'];

/** The layer that moments of a kind lie in. */
const layerOfKind: Readonly<Record<MomentKind, LayerOfMoments>> = {
  Transcript: 'captions',
  Ocr: 'text',
  Face: 'people',
  Annotations: 'labels',
  Brand: 'brands',
};

/** What is known of a film by one source. */
export interface KnownOfFilm extends Readonly<Record<NamesLayer, readonly string[]>> {
  readonly facts: FilmFacts;
  readonly moments: readonly Moment[];
}

/** The layers that this comes to; those that would be empty are left out. */
export function layersOf({ facts, moments, ...names }: KnownOfFilm): Layer[] {
  const of = (name: LayerName) => moments.filter(({ kind }) => layerOfKind[kind] === name);
  const named = (name: NamesLayer): Layer => ({ name, names: names[name], moments: of(name) });
  const all: Layer[] = [
    { name: 'catalogue', facts },
    { name: 'captions', moments: of('captions') },
    { name: 'text', moments: of('text') },
    ...namesLayers.map(named),
  ];
  return all.filter((layer) => !('moments' in layer) || layer.moments.length > 0 || ('names' in layer && layer.names.length > 0));
}

/** Who made a layer: the step or import that replaces it, and its version. */
export interface Maker {
  readonly madeBy: string;
  readonly version: number;
}

/** A video's layers, always in the same order. Throws on a row that `keepLayers` did not write. */
export async function findLayers(db: Db, videoId: string): Promise<Layer[]> {
  const { rows } = await db.query<LayerRow>(sql`
    select name, body, word_starts as "wordStarts", engines, facts from layers where video_id = ${videoId} order by made_by, name`);
  return rows.map(layerOfRow);
}

/** A moment of written text, and where in the picture it stands. */
export interface PlacedText extends Pick<Moment, 'startMs' | 'endMs'> {
  readonly place: TextPlace;
}

/** Where the written texts of a video stand, in order of time; none for those that came without. */
export async function findPlacedTexts(db: Db, videoId: string): Promise<PlacedText[]> {
  const { rows } = await db.query<LayerRow>(sql`
    select name, body, word_starts as "wordStarts", engines, facts from layers
     where video_id = ${videoId} and name = 'text' and facts ? 'places' order by made_by`);
  return rows.map(layerOfRow).flatMap((layer) => {
    if (layer.name !== 'text' || !layer.places) return [];
    const { moments, places } = layer;
    return places.flatMap((place, n) => {
      const moment = moments[n];
      return moment ? [{ startMs: moment.startMs, endMs: moment.endMs, place }] : [];
    });
  });
}

/** A shot of a video: where it begins, and where in it the still of it stands, if it has one. */
export interface Shot {
  readonly startMs: number;
  readonly stillMs: number | null;
}

/** The shots of a video in order; none where they were not looked for. */
export async function findShots(db: Db, videoId: string): Promise<Shot[]> {
  const { rows } = await db.query<Shot>(sql`
    select start_ms::int as "startMs", still_ms::int as "stillMs"
      from layers, rows from (jsonb_array_elements_text(facts -> 'startsMs'), jsonb_array_elements_text(facts -> 'stillsMs'))
                   with ordinality as shot (start_ms, still_ms, n)
     where video_id = ${videoId} and name = 'shots' order by n`);
  return rows;
}

/** Where the shots of a video begin, in milliseconds; none where they were not looked for. */
export async function findShotStarts(db: Db, videoId: string): Promise<number[]> {
  return (await findShots(db, videoId)).map(({ startMs }) => startMs);
}

/** What tells most what a video is about, best first; none where nobody looked. */
export async function findKeywordsOf(db: Db, videoId: string): Promise<Keyword[]> {
  const { rows } = await db.query<{ keywords: Keyword[] }>(sql`
    select facts -> 'keywords' as keywords from layers where video_id = ${videoId} and name = 'keywords' order by made_by`);
  return rows.flatMap(({ keywords }) => keywords);
}

/** Puts these layers in the place of all that this maker found of the video before. */
export async function replaceLayers(db: Db, videoId: string, made: Maker & { readonly layers: readonly Layer[] }): Promise<void> {
  await db.query(sql`delete from layers where video_id = ${videoId} and made_by = ${made.madeBy}`);
  await keepLayers(
    db,
    made.layers.map((layer) => ({ videoId, layer, madeBy: made.madeBy, version: made.version })),
  );
}

/** Adds layers of any number of videos at once, without those who were forgotten. */
export async function keepLayers(db: Db, layers: readonly (Maker & { readonly videoId: string; readonly layer: Layer })[]): Promise<void> {
  const erasures = await findErasures(
    db,
    layers.map(({ videoId }) => videoId),
  );
  const rows = layers.map(({ layer, ...row }) => {
    const about = erasures.filter(({ videoId }) => videoId === null || videoId === row.videoId);
    return { ...row, ...rowOfLayer(withoutForgotten(layer, about)) };
  });
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name]);
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  await db.query(sql`
    insert into layers (video_id, name, made_by, version, body, word_starts, engines, facts)
    select video_id, name, made_by, version, body, word_starts,
           case when engines is not null then array(select jsonb_array_elements_text(engines)) end, facts
      from unnest(${column('videoId')}::text[], ${column('name')}::text[], ${column('madeBy')}::text[], ${column('version')}::int[],
                  ${column('body')}::text[], ${column('wordStarts')}::text[], ${column('engines').map(json)}::jsonb[],
                  ${column('facts').map(json)}::jsonb[])
        as r (video_id, name, made_by, version, body, word_starts, engines, facts)`);
}

/** The same layer without those who were forgotten. What the film itself says of them, in speech, writing or its title, stays. */
function withoutForgotten(layer: Layer, erasures: readonly Erasure[]): Layer {
  if (layer.name === 'faces') return { name: layer.name, groups: withoutForgottenFaces(layer.groups, erasures) };
  if (layer.name !== 'people' || erasures.length === 0) return layer;
  const names = layer.names.filter((name) => !isForgottenName(name, erasures));
  return { name: layer.name, names, moments: layer.moments.filter(({ text }) => !isForgottenName(text, erasures)) };
}

/** Takes those who were forgotten out of the layers that a film has. */
export async function clearLayers(db: Db, videoId: string): Promise<void> {
  const { rows } = await db.query<LayerRow & { madeBy: string; version: number }>(sql`
    delete from layers where video_id = ${videoId} and name in ('faces', 'people')
    returning name, body, word_starts as "wordStarts", engines, facts, made_by as "madeBy", version`);
  await keepLayers(
    db,
    rows.map(({ madeBy, version, ...row }) => ({ videoId, layer: layerOfRow(row), madeBy, version })),
  );
}

interface LayerRow extends PackedMoments {
  readonly name: string;
  readonly facts: unknown;
}

/** What the layers without moments are kept as. */
const SpokenLanguage = z.object({ language: z.string() });
const Shots = z.object({ startsMs: z.array(z.number().int()), stillsMs: z.array(z.number().int().nullable()).optional() });
const Keywords = z.object({ keywords: z.array(Keyword) });
const Voice = z.object({ stretchesMs: z.array(z.tuple([z.number().int(), z.number().int()])) });
const Faces = z.object({ groups: z.array(FaceGroup) });
const Text = z.object({ places: z.array(TextPlace).optional() });
const Names = z.object({ names: z.array(z.string()) });

function rowOfLayer(layer: Layer): LayerRow {
  if (layer.name === 'catalogue') return { name: layer.name, ...packMoments([]), facts: layer.facts };
  if (!('moments' in layer)) {
    const { name, ...found } = layer;
    return { name, ...packMoments([]), facts: found };
  }
  return { name: layer.name, ...packMoments(layer.moments), facts: factsBeside(layer) };
}

/** What a layer says beside its moments. */
function factsBeside(layer: Extract<Layer, { name: LayerOfMoments }>): unknown {
  if ('names' in layer) return { names: layer.names };
  return layer.name === 'text' && layer.places ? { places: layer.places } : null;
}

function layerOfRow({ name, facts, body, ...beside }: LayerRow): Layer {
  const moments = unpackMoments(body, beside);
  switch (name) {
    case 'catalogue':
      return { name, facts: FilmFacts.parse(facts) };
    case 'language':
      return { name, ...SpokenLanguage.parse(facts) };
    case 'shots':
      return { name, ...Shots.parse(facts) };
    case 'keywords':
      return { name, ...Keywords.parse(facts) };
    case 'voice':
      return { name, ...Voice.parse(facts) };
    case 'faces':
      return { name, ...Faces.parse(facts) };
    case 'captions':
      return { name, moments };
    case 'text':
      return { name, moments, ...Text.parse(facts ?? {}) };
    case 'people':
    case 'labels':
    case 'brands':
      return { name, moments, ...Names.parse(facts) };
    default:
      throw new Error(`not a layer: ${name}`);
  }
}
