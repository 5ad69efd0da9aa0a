import { serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { Recognition } from '#contract/steps.ts';
import { type Db, inTransaction, type Pool } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { findCorrections } from '../../moments/corrections.ts';
import { type FaceGroup, faceMarkOf } from '../../moments/faces.ts';
import { nameFaces } from '../../moments/name-faces.ts';
import { recordActivity } from '../../users/audit.ts';
import type { FilmArchive } from '../film-archive.ts';
import { runStepAgain, runStepForAll } from '../steps.ts';

/** Whether people are recognised across films, who turned it on and when, and of how many faces what tells them apart is kept. */
export async function readRecognition(db: Db): Promise<Recognition> {
  const { rows } = await db.query<{ by: string; since: Date; faces: number }>(sql`
    select coalesce(u.name, '') as by, turned_on_at as since, (select count(*)::int from known_faces) as faces
      from recognition r left join users u on u.id = r.turned_on_by`);
  const [on] = rows;
  return on ? { isOn: true, by: on.by, since: on.since.toISOString(), faces: on.faces } : { isOn: false, by: '', since: null, faces: 0 };
}

type Archive = Pick<FilmArchive, 'pool' | 'queue'>;

interface Switching {
  readonly isOn: boolean;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Turns it on, and has the films with named faces looked at again, since nothing of them was kept; or off, and deletes at once what was
 * kept. Returns how many films are looked at again.
 */
export async function setRecognition({ pool, queue }: Archive, { isOn, actorUid, from }: Switching): Promise<number> {
  const isOther = await inTransaction(pool, async (db) => {
    const { rowCount } = isOn
      ? await db.query(sql`insert into recognition (turned_on_by) values (${actorUid}) on conflict do nothing`)
      : await db.query(sql`delete from recognition`);
    // Whoever is about to keep something holds the row: there is none after this.
    if (!isOn) await db.query(sql`delete from known_faces`);
    if (rowCount === 1)
      await recordActivity(db, { action: isOn ? 'recognition-on' : 'recognition-off', actorUid, subjectUid: actorUid, from });
    return rowCount === 1;
  });
  if (!isOn || !isOther) return 0;
  const behind = sql`
    exists (select from corrections c where c.video_id = v.id and c.kind = 'Person' and c.says is not null and c.undone_at is null)`;
  return await runStepForAll({ pool, queue }, { step: 'people', behind, priority: -1 }).catch(replaceProblemBy(0));
}

/** Has a film looked at again whose face was just named, where that is to be recognised in others. */
export async function learnNamedFaces({ pool, queue }: Archive, videoId: string): Promise<void> {
  if ((await readRecognition(pool)).isOn)
    await runStepAgain({ pool, queue }, { videoId, step: 'people' }).catch(replaceProblemBy(undefined));
}

/** An archive without a worker, or one that is at it already, has nothing more to do. */
function replaceProblemBy<T>(otherwise: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Problem) return otherwise;
    throw error;
  };
}

/** How alike two faces of different films are, of 1, before one is proposed to be the other; within a film 0.66 is enough, but here there are many more to be taken for. */
const alikeMin = 0.72;

export interface NumberedFace extends FaceGroup {
  /** What tells it from others, of length 1 as a whole. */
  readonly numbers: readonly number[];
}

/**
 * Gives faces that were just found those of other films, named by people, that they are alike, best first; and keeps the numbers of those
 * that are named here. Where recognising is off it does neither: the numbers go with whoever holds them.
 */
export async function recogniseFaces(pool: Pool, videoId: string, found: readonly NumberedFace[]): Promise<FaceGroup[]> {
  return await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(sql`select from recognition for share`);
    if (rowCount === 0) return found.map(({ numbers: _, ...group }) => group);
    const { faces } = nameFaces(found, await findCorrections(db, videoId));
    // The part of it that its picture shows, where an editor told the rest from it.
    const isNamed = (group: FaceGroup) => faces.find((face) => faceMarkOf(face) === faceMarkOf(group))?.isNamed === true;
    await keepKnownFaces(db, videoId, found.filter(isNamed));
    const alike = await findAlike(
      db,
      videoId,
      found.filter((group) => !isNamed(group)),
    );
    return found.map(({ numbers: _, ...group }) => {
      const others = alike.get(faceMarkOf(group));
      return others ? { ...group, alike: others } : group;
    });
  });
}

async function keepKnownFaces(db: Db, videoId: string, named: readonly NumberedFace[]): Promise<void> {
  await db.query(sql`delete from known_faces where video_id = ${videoId}`);
  for (const group of named)
    await db.query(sql`
      insert into known_faces (video_id, mark, engine, numbers)
      values (${videoId}, ${faceMarkOf(group)}, ${group.engine}, ${group.numbers}::real[])`);
}

interface KnownFace {
  readonly videoId: string;
  readonly mark: string;
  readonly engine: string;
  readonly numbers: readonly number[];
}

/** Some megabytes: an archive may name any number of faces. */
const facesAtOnce = 1_000;

/** To these faces of a film, by their marks, the most alike of other films, best first. A film that is deleted names nobody elsewhere, also while it can be restored. */
async function findAlike(db: Db, videoId: string, faces: readonly NumberedFace[]): Promise<ReadonlyMap<string, FacesAlike>> {
  const found = new Map(faces.map((face) => [faceMarkOf(face), { face, most: chooseMostAlike([]) }]));
  for (let after: Pick<KnownFace, 'videoId' | 'mark'> | undefined = { videoId: '', mark: '' }; after && found.size > 0; ) {
    const { rows }: { rows: KnownFace[] } = await db.query<KnownFace>(sql`
      select f.video_id as "videoId", f.mark, f.engine, f.numbers from known_faces f join videos v on v.id = f.video_id
       where v.state <> 'Quarantined' and v.id <> ${videoId} and (f.video_id, f.mark) > (${after.videoId}, ${after.mark})
       order by 1, 2 limit ${facesAtOnce}`);
    for (const one of found.values()) one.most = chooseMostAlike([...one.most, ...alikeOf(one.face, rows)]);
    after = rows.length < facesAtOnce ? undefined : rows.at(-1);
  }
  return new Map(
    Array.from(found, ([mark, { most }]) => [
      mark,
      most.map(({ alike, ...one }) => ({ ...one, percent: Math.round(Math.min(1, alike) * 100) })),
    ]),
  );
}

type FacesAlike = NonNullable<FaceGroup['alike']>;

interface AlikeFace extends Pick<KnownFace, 'videoId' | 'mark'> {
  readonly alike: number;
}

function alikeOf({ engine, numbers }: NumberedFace, known: readonly KnownFace[]): AlikeFace[] {
  return known
    .filter((one) => one.engine === engine)
    .map(({ videoId, mark, numbers: others }) => ({
      videoId,
      mark,
      alike: numbers.reduce((sum, number, n) => sum + number * (others[n] ?? 0), 0),
    }))
    .filter(({ alike }) => alike >= alikeMin);
}

function chooseMostAlike(faces: readonly AlikeFace[]): AlikeFace[] {
  return faces.toSorted((a, b) => b.alike - a.alike).slice(0, serverLimits.facesProposedMax);
}
