import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction, type Pool } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { addCorrection, findCorrections } from '../../moments/corrections.ts';
import { findErasures, isForgottenName } from '../../moments/erasures.ts';
import { FaceGroup, faceMark } from '../../moments/faces.ts';
import { isNobody } from '../../moments/moment.ts';
import { type NamedFace, nameFaces } from '../../moments/name-faces.ts';
import { recordFilmActivity } from '../../users/audit.ts';
import { cleanText, holdsEmailAddress } from '../clean-text.ts';
import { lockVideo, recomposeVideo } from '../recompose-video.ts';

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
  readonly name: string;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Says whose face this is: from then on the film is found by that name, also after it was looked at anew, until the name is taken back. Returns
 * the name as it is kept. Throws a Problem for a name that cannot be one, for a face that is not there, and where somebody else named it meanwhile.
 */
export async function namePerson(pool: Pool, { videoId, mark, replaces, name, actorUid, from }: Naming): Promise<string> {
  const says = readName(name);
  return await inTransaction(pool, async (db) => {
    if (!(await lockVideo(db, videoId))) throw new Problem('not_found', 'There is no such video.');
    const face = (await findFaces(db, videoId)).find((one) => faceMark(one) === mark);
    if (!face) throw new Problem('not_found', 'There is no such face: the film may have been looked at anew.');
    if (face.name !== replaces) throw new Problem('version_mismatch', `Somebody named this face meanwhile: it is “${face.name}” now.`);
    if (face.name === says) return says;
    if (isForgottenName(says, await findErasures(db, [videoId])))
      throw new Problem('conflict', 'Somebody of this name was forgotten here, for good: the archive takes the name no more.');
    const { atMs, place } = face.clearest;
    const target = { layer: 'faces', kind: 'Person', startMs: atMs, endMs: atMs, place, replaces } as const;
    await addCorrection(db, videoId, { target, says, by: actorUid });
    await recordFilmActivity(db, { action: 'person-named', actorUid, videoId, before: replaces, detail: says, from });
    await recomposeVideo(db, videoId);
    return says;
  });
}

function readName(text: string): string {
  // One more than there may be tells whether it is too long.
  const name = cleanText(text, limits.personNameMaxCodePoints + 1);
  if (name === '') throw new Problem('invalid_parameter', 'A person needs a name.');
  if ([...name].length > limits.personNameMaxCodePoints)
    throw new Problem('invalid_parameter', `A person’s name has at most ${limits.personNameMaxCodePoints} characters.`);
  if (isNobody(name)) throw new Problem('invalid_parameter', `“${name}” is what the archive calls those whom nobody has named.`);
  if (holdsEmailAddress(name)) throw new Problem('invalid_parameter', 'A name holds no e-mail address: the archive keeps none.');
  return name;
}
