import {
  type CorrectedFacts,
  type CorrectedNames,
  type DetailsPreviewRow,
  type DetailsRow,
  FactName,
  type FilmFactsAsEdited,
  type FilmMark,
  type NameKind,
  type NamesOfFilm,
} from '#contract/corrections.ts';
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction, type Pool } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { addCorrection } from '../../moments/corrections.ts';
import { findErasures, isForgottenName } from '../../moments/erasures.ts';
import { isNobody } from '../../moments/moment.ts';
import { recordFilmActivity } from '../../users/audit.ts';
import { cleanText, holdsEmailAddress, withoutHeapsOfMarks } from '../clean-text.ts';
import { findVideos } from '../find-videos.ts';
import { findFaces } from '../people/name-person.ts';
import { recomposeVideo, requireLock } from '../recompose-video.ts';
import type { Video } from '../video.ts';
import { makeNoVideoProblem } from '../video.ts';

export interface FactChange {
  readonly videoId: string;
  readonly fact: FactName;
  /** What the editor saw, empty where nothing was known: something else by now is not overwritten. */
  readonly replaces: string;
  /** Empty where nothing is to be known of it any more. */
  readonly says: string;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Has something else known of a film as a whole: its title, when and where it was recorded. That holds whatever its file says later, until it is
 * undone; returns all of it as it is kept, and by which correction. Throws a Problem for what cannot be, and where somebody else changed it meanwhile.
 */
export async function correctFact(pool: Db, { videoId, fact, replaces, says, actorUid, from }: FactChange): Promise<CorrectedFacts> {
  const read = readFact(fact, says);
  return await inTransaction(pool, async (db) => {
    await requireLock(db, videoId);
    const known = await findFacts(db, videoId);
    const before = known[fact];
    if (before !== replaces) {
      const now = before === '' ? 'it is empty' : `it is “${before}”`;
      throw new Problem('version_mismatch', `${namesOfFacts[fact]} has been changed by someone else: ${now} now.`);
    }
    if (before === read) return { ...known, correction: null };
    const target =
      fact === 'title'
        ? ({ layer: 'catalogue', kind: 'Title', replaces } as const)
        : ({ layer: 'catalogue', kind: 'Fact', fact, replaces } as const);
    const correction = await addCorrection(db, videoId, { target, says: read, by: actorUid });
    await recordFilmActivity(db, {
      action: fact === 'title' ? 'title-changed' : 'fact-changed',
      actorUid,
      videoId,
      before,
      detail: read,
      from,
    });
    await recomposeVideo(db, videoId);
    return { ...(await findFacts(db, videoId)), correction };
  });
}

/** What is known of a film as a whole, as editors change it; empty where nothing is. Throws a Problem where there is no such film. */
export async function findFacts(db: Db, videoId: string): Promise<FilmFactsAsEdited> {
  const [video] = await findVideos(db, [videoId]);
  if (!video) throw makeNoVideoProblem();
  return factsOf(video);
}

function factsOf({ name, externalId, description, recordedAt, place, language, rights }: Video): FilmFactsAsEdited {
  return {
    title: name,
    description: description ?? '',
    externalId: externalId ?? '',
    recordedAt: recordedAt ?? '',
    place: place ?? '',
    language,
    rights: rights ?? '',
  };
}

const namesOfFacts: Readonly<Record<FactName, string>> = {
  title: 'The title',
  description: 'The description',
  externalId: 'The external id',
  recordedAt: 'The recording date',
  place: 'The place',
  language: 'The language',
  rights: 'The rights note',
};

function readFact(fact: FactName, text: string): string {
  const [name, most] = [namesOfFacts[fact], limits.factMaxCodePoints[fact]];
  // One more than there may be tells whether it is too long.
  const read = cleanText(text, most + 1);
  const refuse = (sentence: string): never => {
    throw new Problem('invalid_parameter', sentence);
  };
  if (read === '' && fact === 'title') refuse('A video needs a title.');
  if ([...read].length > most) refuse(`${name} may have at most ${most} characters.`);
  if (holdsEmailAddress(read)) refuse(`${name} may not contain an e-mail address.`);
  if (fact === 'language' && !/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(read)) refuse('A language is a code such as en or pt-BR.');
  if (fact === 'recordedAt' && read !== '' && !isDay(read))
    refuse('A recording date is a year, month or day: 1969, 1969-07 or 1969-07-20.');
  return read;
}

/** A year, a month or a day that there is, or an instant of one. */
function isDay(text: string): boolean {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?)?)?$/.exec(text) ?? [];
  const at = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(`${year}-${month}-${day}`);
}

/**
 * What rows of a table would change of the films that they are about, in their order. A row is about the one film that bears its mark; what it
 * says is read as `correctFact` does. Changes nothing.
 */
export async function previewDetails(db: Db, by: FilmMark, rows: readonly DetailsRow[]): Promise<DetailsPreviewRow[]> {
  // A Mac writes é as two signs, and a table may not.
  const marks = rows.map(({ mark }) => withoutHeapsOfMarks(mark.trim()).normalize('NFC'));
  const { rows: bearers } = await db.query<{ id: string; mark: string }>(sql`
    select id, case ${by} when 'id' then id when 'title' then normalize(name) when 'fileName' then normalize(file_name) else normalize(external_id) end as mark
      from videos
     where case ${by} when 'id' then id when 'title' then normalize(name) when 'fileName' then normalize(file_name) else normalize(external_id) end = any (${marks}::text[])
       and state <> 'Quarantined'`);
  const films = new Map((await findVideos(db, [...new Set(bearers.map(({ id }) => id))])).map((video) => [video.id, video]));
  const byMark = Map.groupBy(bearers, ({ mark }) => mark);
  return rows.map(({ says }, n) => {
    const mark = marks[n] ?? '';
    const found = mark === '' ? [] : (byMark.get(mark) ?? []);
    const video = films.get(found[0]?.id ?? '');
    if (!video || found.length > 1) {
      const why =
        mark === ''
          ? 'It does not say which video it is about.'
          : found.length > 1
            ? `“${mark}” matches several videos.`
            : `“${mark}” matches no video.`;
      return { video: null, changes: [], problems: [why] };
    }
    return { video: { id: video.id, name: video.name }, ...changesOf(factsOf(video), says) };
  });
}

function changesOf(known: FilmFactsAsEdited, says: DetailsRow['says']): Pick<DetailsPreviewRow, 'changes' | 'problems'> {
  const changes: DetailsPreviewRow['changes'] = [];
  const problems: string[] = [];
  for (const fact of FactName.options) {
    const told = says[fact];
    if (told === undefined) continue;
    try {
      const read = readFact(fact, told);
      if (read !== known[fact]) changes.push({ fact, replaces: known[fact], says: read });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problems.push(error.message);
    }
  }
  return { changes, problems };
}

interface NameChange {
  readonly videoId: string;
  readonly kind: NameKind;
  /** What the editor saw; empty where the name is added. */
  readonly replaces: string;
  /** Empty where the name is taken out. */
  readonly says: string;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Has a film name a person, label or brand, call it something else, or name it no more; that holds whatever a machine finds later, until it is
 * undone. Returns all that the film names then, and by which correction. Throws a Problem for what cannot be a name, and where the name is gone by now.
 */
export async function correctName(pool: Pool, { videoId, kind, replaces, says, actorUid, from }: NameChange): Promise<CorrectedNames> {
  const read = readName(kind, says);
  return await inTransaction(pool, async (db) => {
    await requireLock(db, videoId);
    const known = (await findNames(db, videoId))[kind];
    if (replaces !== '' && !known.includes(replaces))
      throw new Problem('version_mismatch', `Someone else has changed this: the video no longer names “${replaces}”.`);
    if (read === replaces || (replaces === '' && known.includes(read))) return { ...(await findNames(db, videoId)), correction: null };
    if (kind === 'people' && isForgottenName(read, await findErasures(db, [videoId])))
      throw new Problem('conflict', 'Someone of this name was forgotten here for good, so the name cannot be used.');
    const target = { layer: kind, kind: 'Name', replaces } as const;
    const correction = await addCorrection(db, videoId, { target, says: read, by: actorUid });
    await recordFilmActivity(db, { action: 'fact-changed', actorUid, videoId, before: replaces, detail: read, from });
    await recomposeVideo(db, videoId);
    return { ...(await findNames(db, videoId)), correction };
  });
}

/** Whom and what a film names as a whole. Those whose face is known are not among the people: they are named by their faces. */
export async function findNames(db: Db, videoId: string): Promise<NamesOfFilm> {
  const [video] = await findVideos(db, [videoId]);
  if (!video) throw makeNoVideoProblem();
  const seen = new Set((await findFaces(db, videoId)).map(({ name }) => name));
  return { people: video.people.filter((name) => !seen.has(name)), labels: [...video.labels], brands: [...video.brands] };
}

function readName(kind: NameKind, text: string): string {
  const most = limits.personNameMaxCodePoints;
  // One more than there may be tells whether it is too long.
  const name = cleanText(text, most + 1);
  if ([...name].length > most) throw new Problem('invalid_parameter', `A name may have at most ${most} characters.`);
  if (holdsEmailAddress(name)) throw new Problem('invalid_parameter', 'A name may not contain an e-mail address.');
  if (kind === 'people' && isNobody(name))
    throw new Problem('invalid_parameter', `“${name}” is reserved for people who have not been named.`);
  return name;
}
