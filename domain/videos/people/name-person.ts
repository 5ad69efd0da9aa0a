/*
 * Faces: naming and merging them here, propose-names finds who it may be, recognition keeps what tells faces apart,
 * forget-person takes somebody out for good.
 */
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction, type Pool } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { addCorrection, findCorrections } from '../../moments/corrections.ts';
import { findErasures, isForgottenName } from '../../moments/erasures.ts';
import { FaceGroup, faceMarkOf } from '../../moments/faces.ts';
import { isNobody } from '../../moments/moment.ts';
import { appearancesOf, type NamedFace, nameFaces } from '../../moments/name-faces.ts';
import { recordFilmActivity } from '../../users/audit.ts';
import { cleanText, holdsEmailAddress } from '../clean-text.ts';
import { recomposeVideo, requireLock } from '../recompose-video.ts';

/** The faces that were found in a film, with the names that people gave them; first who is seen longest. */
export async function findFaces(db: Db, videoId: string): Promise<NamedFace[]> {
  const { rows } = await db.query<{ face: unknown }>(sql`
    select face from layers, jsonb_array_elements(facts -> 'groups') with ordinality as found (face, n)
     where video_id = ${videoId} and name = 'faces' order by made_by, n`);
  if (rows.length === 0) return [];
  const groups = rows.map(({ face }) => FaceGroup.parse(face));
  return nameFaces(groups, await findCorrections(db, videoId)).faces;
}

export interface Naming {
  readonly videoId: string;
  /** Of the face, as it was found last. */
  readonly mark: string;
  /** What the face was called when the editor saw it: another name by now is not overwritten. */
  readonly replaces: string;
  /** Empty for somebody else, whom nobody has named. */
  readonly name: string;
  /** When the appearances begin that are meant, in milliseconds; undefined for all of them. */
  readonly appearances?: readonly number[] | undefined;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Says whose face this is, or that it is not whose it was taken for, always or in some appearances: from then on the film is found by that, also after
 * it was looked at anew, until it is taken back. Returns the name as it is kept. Throws a Problem for a name that cannot be one, for a face that is not there, and where somebody else named it meanwhile.
 */
export async function namePerson(within: Db, { videoId, mark, replaces, name, appearances, actorUid, from }: Naming): Promise<string> {
  const says = name.trim() === '' ? '' : readName(name);
  return await inTransaction(within, async (db) => {
    await requireLock(db, videoId);
    const face = (await findFaces(db, videoId)).find((one) => faceMarkOf(one) === mark);
    if (!face) throw new Problem('not_found', 'There is no such face: the video may have been analysed again.');
    if (face.name !== replaces) throw new Problem('version_mismatch', `Someone else has named this face: it is “${face.name}” now.`);
    if (face.name === says) return says;
    const meant = appearancesOf(face, appearances);
    if (meant.tracks.length === 0 || (appearances && meant.tracks.length !== new Set(appearances).size))
      throw new Problem('version_mismatch', 'These appearances no longer exist: the video has been analysed again.');
    if (says === '' && !face.isNamed && meant.isWhole) throw new Problem('invalid_parameter', 'A person needs a name.');
    if (isForgottenName(says, await findErasures(db, [videoId])))
      throw new Problem('conflict', 'Someone of this name was forgotten here for good, so the name cannot be used.');
    const { atMs, place } = face.clearest;
    const target = { layer: 'faces', kind: 'Person', startMs: atMs, endMs: atMs, place, replaces, appearances: meant } as const;
    await addCorrection(db, videoId, { target, says, by: actorUid });
    await recordFilmActivity(db, { action: 'person-named', actorUid, videoId, before: replaces, detail: says, from });
    await recomposeVideo(db, videoId);
    return says;
  });
}

interface Merging {
  readonly videoId: string;
  /** Both faces, as they were found last, and what they were called when the editor saw them. */
  readonly mark: string;
  readonly replaces: string;
  readonly otherMark: string;
  readonly otherReplaces: string;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Says that two faces without a name are of one person, whoever that is: from then on they are one face, also after the film was looked at anew, until
 * it is taken back. Returns the correction. Throws a Problem for a face that is not there or has a name by now.
 */
export async function mergeFaces(pool: Pool, { videoId, actorUid, from, ...seen }: Merging): Promise<number> {
  return await inTransaction(pool, async (db) => {
    await requireLock(db, videoId);
    const faces = await findFaces(db, videoId);
    const unnamed = (mark: string, replaces: string) => {
      const face = faces.find((each) => faceMarkOf(each) === mark);
      if (!face) throw new Problem('not_found', 'There is no such face: the video may have been analysed again.');
      if (face.name !== replaces) throw new Problem('version_mismatch', `“${replaces}” is now “${face.name}”: check again.`);
      if (face.isNamed) throw new Problem('invalid_parameter', `“${face.name}” already has a name: give that name to the other face.`);
      return face;
    };
    const [one, another] = [unnamed(seen.mark, seen.replaces), unnamed(seen.otherMark, seen.otherReplaces)];
    if (one === another) throw new Problem('invalid_parameter', 'These are not two faces.');
    const { atMs, place } = one.clearest;
    const appearances = { tracks: one.tracks, isWhole: true, others: another.tracks };
    const both = `${one.name}, ${another.name}`;
    const target = { layer: 'faces', kind: 'Person', startMs: atMs, endMs: atMs, place, replaces: both, appearances } as const;
    const correction = await addCorrection(db, videoId, { target, says: null, by: actorUid });
    await recordFilmActivity(db, { action: 'faces-merged', actorUid, videoId, before: both, detail: '', from });
    await recomposeVideo(db, videoId);
    return correction;
  });
}

function readName(text: string): string {
  // One more than there may be tells whether it is too long.
  const name = cleanText(text, limits.personNameMaxCodePoints + 1);
  if (name === '') throw new Problem('invalid_parameter', 'A person needs a name.');
  if ([...name].length > limits.personNameMaxCodePoints)
    throw new Problem('invalid_parameter', `A person’s name may have at most ${limits.personNameMaxCodePoints} characters.`);
  if (isNobody(name)) throw new Problem('invalid_parameter', `“${name}” is reserved for people who have not been named.`);
  if (holdsEmailAddress(name)) throw new Problem('invalid_parameter', 'A name may not contain an e-mail address.');
  return name;
}
