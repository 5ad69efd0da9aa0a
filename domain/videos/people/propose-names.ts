import type { FaceEntry } from '#contract/corrections.ts';
import type { Db } from '../../db/database.ts';
import { findErasures, isForgottenName } from '../../moments/erasures.ts';
import { type FaceGroup, faceMarkOf } from '../../moments/faces.ts';
import { findLayers, type Layer, type TextPlace } from '../../moments/layers.ts';
import type { NamedFace } from '../../moments/name-faces.ts';
import { findVideos } from '../find-videos.ts';
import { findFaces } from './name-person.ts';
import { readRecognition } from './recognition.ts';

type Proposal = FaceEntry['proposals'][number];

/** Whose faces these may be, of those in a film that nobody has named, by their marks: by what is written and said while they are seen, and by other films; proposals for editors, who alone give a name. */
export async function proposeNames(db: Db, videoId: string, faces: readonly NamedFace[]): Promise<Map<string, Proposal[]>> {
  const erasures = await findErasures(db, [videoId]);
  const inFilm = namesForFaces(faces.some(({ isNamed }) => !isNamed) ? await findLayers(db, videoId) : [], faces);
  const elsewhere = await namesInOtherFilms(db, faces);
  const proposed = new Map<string, Proposal[]>();
  for (const [n, face] of faces.entries()) {
    if (face.isNamed) continue;
    const here = inFilm
      .filter(({ face: number }) => number === n)
      .map(({ name, by, startMs }) => ({ name, by, title: null, percent: null, startMs }));
    const there = (face.alike ?? []).flatMap(({ videoId: other, mark, percent }): Proposal[] => {
      const found = elsewhere.get(keyOf(other, mark));
      return found ? [{ ...found, by: 'face', percent, startMs: null }] : [];
    });
    const proposals = [...here, ...there].filter(({ name }) => !isForgottenName(name, erasures));
    const once = proposals.filter(({ name }, n) => proposals.findIndex((other) => other.name === name) === n);
    if (once.length > 0) proposed.set(faceMarkOf(face), once);
  }
  return proposed;
}

/** What faces of other films that are alike to these are called there by now, by film and mark, of films that are not deleted. */
async function namesInOtherFilms(db: Db, faces: readonly NamedFace[]): Promise<Map<string, Pick<Proposal, 'name' | 'title'>>> {
  const names = new Map<string, Pick<Proposal, 'name' | 'title'>>();
  const films = new Set(faces.flatMap(({ isNamed, alike = [] }) => (isNamed ? [] : alike.map(({ videoId }) => videoId))));
  if (films.size === 0 || !(await readRecognition(db)).isOn) return names;
  for (const { id, name: title, state } of await findVideos(db, [...films])) {
    if (state === 'Quarantined') continue;
    const named = (await findFaces(db, id)).filter(({ isNamed }) => isNamed);
    for (const face of named) names.set(keyOf(id, faceMarkOf(face)), { name: face.name, title });
  }
  return names;
}

function keyOf(videoId: string, mark: string): string {
  return `${videoId} ${mark}`;
}

/** A name that is written or said while a single face is seen. */
interface NameForFace {
  /** The number of the face. */
  readonly face: number;
  readonly name: string;
  readonly by: 'lower-third' | 'speech';
  /** When, in milliseconds. */
  readonly startMs: number;
}

interface Named extends Omit<NameForFace, 'face'> {
  readonly endMs: number;
}

/**
 * Whose the faces of a film may be: names in lower thirds, and those that somebody gives as their own, while one face is seen and no other;
 * each name of a face once, in order of time. What a recogniser heard roughly tells nothing.
 */
export function namesForFaces(layers: readonly Layer[], faces: readonly Pick<FaceGroup, 'tracks'>[]): NameForFace[] {
  if (faces.length === 0) return [];
  const named = layers.flatMap((layer): Named[] => {
    if (layer.name === 'text') return lowerThirdsIn(layer);
    if (layer.name !== 'captions') return [];
    const said = layer.moments.filter(({ isRough }) => !isRough);
    return said.flatMap(({ text, startMs, endMs }) => toNamed(ownNameIn(text), { startMs, endMs, by: 'speech' as const }));
  });
  const found = named.flatMap(({ endMs, ...one }) => {
    const face = onlyFaceIn(faces, one.startMs, endMs);
    return face === undefined ? [] : [{ face, ...one }];
  });
  const inTime = found.toSorted((a, b) => a.startMs - b.startMs);
  return inTime.filter((one, n) => inTime.findIndex(({ face, name }) => face === one.face && name === one.name) === n);
}

function toNamed<T>(name: string | undefined, rest: T): (T & { name: string })[] {
  return name === undefined ? [] : [{ ...rest, name }];
}

/** Where lower thirds begin, as a share of the picture's height; more names at once are credits. */
const [lowerFrom, namesAtOnceMax] = [0.5, 2];

function lowerThirdsIn({ moments, places = [] }: Extract<Layer, { name: 'text' }>): Named[] {
  const lines = moments.flatMap((moment, n) => {
    const place = places[n];
    return place && place.y + place.height / 2 >= lowerFrom ? toNamed(nameIn(moment.text), { ...moment, place }) : [];
  });
  return lines.flatMap((line) => {
    const beside = lines.filter((other) => other !== line && other.startMs < line.endMs && line.startMs < other.endMs);
    // Below a name stands what somebody is, which may read like one.
    const above = beside.filter((other) => isAbove(other.place, line.place));
    if (above.length > 0 || beside.length >= namesAtOnceMax) return [];
    const { name, startMs, endMs } = line;
    return [{ name, startMs, endMs, by: 'lower-third' }];
  });
}

const linesApart = 3;

function isAbove(upper: TextPlace, lower: TextPlace): boolean {
  const isNear = upper.y < lower.y && lower.y - upper.y <= linesApart * Math.max(upper.height, lower.height);
  return isNear && upper.x < lower.x + lower.width && lower.x < upper.x + upper.width;
}

/** The face that is seen for most of a stretch, where no other is seen in it at all; undefined otherwise. */
function onlyFaceIn(faces: readonly Pick<FaceGroup, 'tracks'>[], startMs: number, endMs: number): number | undefined {
  const seen = faces.map(({ tracks }) =>
    tracks.reduce((sum, track) => sum + Math.max(0, Math.min(track.endMs, endMs) - Math.max(track.startMs, startMs)), 0),
  );
  const numbers = seen.flatMap((ms, n) => (ms > 0 ? [n] : []));
  const [only] = numbers;
  return numbers.length === 1 && only !== undefined && (seen[only] ?? 0) * 2 > endMs - startMs ? only : undefined;
}

/** What stands before a name or behind it and is no part of it. */
const title =
  /^(?:(?:u\.?s\.? )?(?:sen|rep|cong|gov|lt|dr|prof|mr|mrs|ms|miss|rev|fr|sr|sir|dame|lord|lady|gen|brig|col|maj|capt|cmdr|adm|sgt|amb|hon|judge|justice|mayor|sheriff|chief|president|senator|governor|professor|doctor|representative|congressman|congresswoman|secretary|ambassador|bishop|cardinal|rabbi|imam|father|sister)(?:\.|\b)(?:-elect)?[\s.]*)+/iu;
const degree = /(?:,|\s)\s*(?:m\.?d|ph\.?\s?d|esq|r\.?n|m\.?b\.?a|m\.?p\.?h|d\.?d\.?s|j\.?d|m\.?s\.?w)\.?$/iu;
const age = /,?\s*\(?\d{1,3}\)?$/u;
/** An American politician's. */
const party = /,?\s*\((?:[dir]|ind)\.?(?:\s?-\s?[\p{L}.]+)?\)$/iu;

/** Words that stand in names of places, offices and programmes, and on their own in captions, and hardly ever in a person's. */
const noNames = new Set(
  (
    'a an and at by for from in of on or the to with is are was were be has have this that these those what when where who why how your you we our us they his her its it as not no yes all more most new old first last next today tonight tomorrow yesterday live file ' +
    'act action administration advocate affairs agency agent air airport america american analyst anchor annual archive archives army arts assistant association associate associates attorney audio author authority avenue award bank baptist bay beach board book bridge broadcasting bureau business camera campaign candidate capitol captain cathedral center centre central chair chairman chairwoman channel chapel chapter chicago church citizen city clinic club coach coalition coast college columnist commission commissioner committee community company conference congress consultant convention coordinator copyright corporation correspondent council counsel country county court courtesy credit creek deputy democrat democratic department development digest director district division doctor documentary drive east economist editor editorial education engineer entertainment executive export export-import farm farmer father federal federation festival film films fire forest former forum foundation fund gallery general global government governor group guard guest hall health high highway historian history home hospital host hotel house human independent industries industry information institute insurance international interview investigator island islands journal journalist junior justice kitchen laboratory labor lake land law lawyer leader league learning legal legislature library life line local magazine management manager market mayor media medical member memorial mesa middle military minister ministry mission mother mount mountain movement moderator museum music narrator nation national navy network news newspaper nobel north northern nurse office officer official opera orchestra organization organizer owner pacific parish park partner party patient peace photo photographer picture plant player plaza point police policy political politics post president presents press prize produced producer production productions professor program programme project psychologist public publisher radio ranch reporter representative republican research researcher resident restaurant review river road school science scientist secretary senate senator senior series service services show singer sister society soldier south southern special speaker spokesman spokesperson spokeswoman sport sports spring springs staff state states station store street student studies studio summit supreme symphony systems teacher team television theater theatre times today tour town trade treasurer tribune trust union united university valley veteran vice video village voice volunteer war washington water week welfare west western white wildlife witness women worker workers world writer year years youth ' +
    'january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday weekend ' +
    'alabama alaska arizona arkansas california colorado connecticut delaware florida hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada hampshire jersey york ohio oklahoma oregon pennsylvania tennessee texas utah vermont wisconsin wyoming canada mexico england britain france germany russia china japan india israel iraq iran europe africa asia'
  ).split(' '),
);
/** Words in the middle of a name that are written small. */
const particles = new Set([
  'de',
  'del',
  'della',
  'di',
  'da',
  'dos',
  'du',
  'la',
  'le',
  'van',
  'von',
  'der',
  'den',
  'ter',
  'bin',
  'ibn',
  'al',
  'el',
  'y',
  'e',
  'zu',
]);
const initials = /^(?:\p{Lu}\.?|(?:\p{Lu}\.){2,3})$/u;
const nameWord = /^(?:\p{Lu}[\p{L}]*['’])?\p{Lu}\p{L}*(?:[-'’]\p{L}+)*$/u;
const behind = /^(?:jr|sr|ii|iii|iv)\.?$/iu;
const [wordsMin, wordsMax, lengthMax] = [2, 4, 40];

/** The name of a person that a line of text is, and nothing else, as it is written in running text; undefined where it is none, or may be something else. */
export function nameIn(line: string): string | undefined {
  const bare = line
    .replace(/["“”*:;]+|[.,\s]+$/gu, ' ')
    .trim()
    .replace(age, '')
    .replace(party, '')
    .replace(degree, '')
    .replace(title, '')
    .replace(/[,\s]+$/u, '');
  if (bare.length > lengthMax || /[^\p{L}\p{M}\s.,'’-]/u.test(bare)) return undefined;
  const words = bare.split(/[\s,]+/u).filter((word) => word !== '');
  const isBehind = words.length > wordsMin && behind.test(words.at(-1) ?? '');
  const named = isBehind ? words.slice(0, -1) : words;
  const count = named.length;
  if (count < wordsMin || count > wordsMax) return undefined;
  const isName = named.every((word, n) => isNamePart(word, n > 0 && n < count - 1));
  // Initials alone are an office as often as a person.
  const last = named.at(-1) ?? '';
  if (!isName || initials.test(last) || !named.some((word) => word.length > 2)) return undefined;
  const isShouted = named.every(
    (word) => word === word.toUpperCase() || particles.has(word.toLowerCase()) || /^M[ac]{1,2}\p{Lu}/u.test(word),
  );
  return words.map((word) => (isShouted ? toRunningText(word) : word)).join(' ');
}

function isNamePart(word: string, isWithin: boolean): boolean {
  const plain = word.toLowerCase().replace(/\.$/u, '');
  if (isWithin && particles.has(plain)) return true;
  if (initials.test(word)) return true;
  return nameWord.test(word) && plain.length > 1 && !noNames.has(plain);
}

/** As a name in capitals is written otherwise. */
function toRunningText(word: string): string {
  if (initials.test(word) || word.includes('.') || behind.test(word))
    return behind.test(word) && /^[js]r/iu.test(word) ? capitalize(word) : word;
  return word
    .split(/(?<=[-'’])/u)
    .map(capitalize)
    .join('');
}

function capitalize(word: string): string {
  const isScottish = /^M(?:c|ac(?=\p{Lu}))\p{L}/u.test(word) || /^MC\p{Lu}/u.test(word);
  const [start, rest] = isScottish ? [/^Mac/.test(word) ? 'Mac' : 'Mc', word.replace(/^M(?:ac|c)/iu, '')] : ['', word];
  return start + rest.charAt(0).toUpperCase() + rest.slice(1).toLowerCase();
}

/** The name that somebody gives as their own in a line that they say; undefined where they give none. */
export function ownNameIn(line: string): string | undefined {
  // Captions in capitals tell no name from other words.
  if (line === line.toUpperCase()) return undefined;
  const said = /\b(?:my name is|my name’s|my name's|i am|i’m|i'm)\s+((?:\p{Lu}[\p{L}.'’-]*\s+){1,3}\p{Lu}[\p{L}'’-]+)/iu.exec(line)?.[1];
  if (said === undefined) return undefined;
  // Only words that begin with a capital are taken, whatever the flags say of the words before.
  const words = said.split(/\s+/u);
  const until = words.findIndex((word) => !/^\p{Lu}/u.test(word));
  const named = until < 0 ? words : words.slice(0, until);
  return nameIn(named.slice(0, wordsMax).join(' '));
}
