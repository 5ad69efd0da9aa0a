import type { FaceEntry } from '#contract/corrections.ts';
import type { Db } from '../../db/database.ts';
import { findErasures, isForgottenName } from '../../moments/erasures.ts';
import { faceMark } from '../../moments/faces.ts';
import { findLayers } from '../../moments/layers.ts';
import type { NamedFace } from '../../moments/name-faces.ts';
import { namesForFaces } from '../../moments/names-for-faces.ts';
import { findVideos } from '../find-videos.ts';
import { findFaces } from './name-person.ts';
import { readRecognition } from './recognition.ts';

type Proposal = FaceEntry['proposals'][number];

/** Whose faces these may be, of those in a film that nobody has named, by their marks: by what is written and said while they are seen, and by other films; proposals for editors, who alone give a name. */
export async function proposeNames(db: Db, videoId: string, faces: readonly NamedFace[]): Promise<Map<string, Proposal[]>> {
  const erasures = await findErasures(db, [videoId]);
  const inFilm = namesForFaces(faces.some(({ isNamed }) => !isNamed) ? await findLayers(db, videoId) : [], faces);
  const proposed = new Map<string, Proposal[]>();
  for (const [n, face] of faces.entries()) {
    if (face.isNamed) continue;
    const here = inFilm
      .filter(({ face: number }) => number === n)
      .map(({ name, by, startMs }) => ({ name, by, title: null, percent: null, startMs }));
    const proposals = [...here, ...(await fromOtherFilms(db, face))].filter(({ name }) => !isForgottenName(name, erasures));
    const once = proposals.filter(({ name }, n) => proposals.findIndex((other) => other.name === name) === n);
    if (once.length > 0) proposed.set(faceMark(face), once);
  }
  return proposed;
}

/** What faces of other films that are alike are called there by now. */
async function fromOtherFilms(db: Db, { alike = [] }: NamedFace): Promise<Proposal[]> {
  if (alike.length === 0 || !(await readRecognition(db)).isOn) return [];
  const proposals: Proposal[] = [];
  for (const { videoId, mark, percent } of alike) {
    const other = (await findFaces(db, videoId)).find((one) => one.isNamed && faceMark(one) === mark);
    const [video] = other ? await findVideos(db, [videoId]) : [];
    if (other && video) proposals.push({ name: other.name, by: 'face', title: video.name, percent, startMs: null });
  }
  return proposals;
}
