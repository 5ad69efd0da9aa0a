import type { TextPlace } from '#domain/moments/layers.ts';
import type { RawPicture } from '../raw-pictures.ts';
import { isSameText } from '../same-text.ts';
import type { TextSeen } from '../text-reader.ts';
import { enlargementOf, type FindLines } from './find-lines.ts';
import { type Box, type Change, changeBetween, leastLikenessOf, likenessOf } from './picture.ts';
import type { ReadLine } from './read-line.ts';

/** The pictures of a stretch of film at even distances. */
interface Pictures {
  readonly count: number;
  readonly at: (n: number) => Promise<RawPicture>;
}

interface Eyes {
  readonly findLines: FindLines;
  readonly readLine: ReadLine;
}

/** Numbers of pictures instead of seconds. */
type Followed = Omit<TextSeen, 'fromSeconds' | 'toSeconds'> & { readonly from: number; readonly to: number };

export interface TextsFollowed {
  readonly texts: readonly Followed[];
  /** Pictures that lines were looked for in. */
  readonly picturesRead: number;
  readonly linesRead: number;
}

/** How much of the picture may be new where something is added to one that stands still. */
const addedShareMax = 0.25;
const credibleMin = 0.6;
/** How alike every part of a line is at least to the same line on a ground that moves. */
const sameMin = 0.9;
/** How alike a place is where a text stands, and where it does not; between the two it is read. */
const [thereMin, goneMax] = [0.8, 0.3];

/**
 * Reads the pictures with these numbers, and those between them where something was added to a picture that stands still. What has not
 * changed since the picture before is not read again. Of every text it tells from which to which picture it stands there; between those
 * that were read it looks where it stood, by halves.
 */
export async function followTexts(
  pictures: Pictures,
  { mustRead, eyes, tell }: { mustRead: ReadonlySet<number>; eyes: Eyes; tell: (n: number) => void },
): Promise<TextsFollowed> {
  const follower = new TextFollower(pictures, eyes);
  for (let n = 0; n < pictures.count; n++) {
    await follower.see(n, mustRead.has(n));
    tell(n);
  }
  return follower.end();
}

/** A line as it stands in the picture that was read last. */
interface Line {
  readonly box: Box;
  readonly place: TextPlace;
  readonly text: string;
  readonly confidence: number;
  /** As large as it was looked at. */
  readonly heightPx: number;
}

/** A text over several pictures. */
interface Standing {
  line: Line;
  /** Where it stood in each picture that was read. */
  readonly places: TextPlace[];
  readonly from: number;
  readonly readings: Map<string, { pictures: number; confidence: number }>;
}

interface Read {
  readonly n: number;
  readonly picture: RawPicture;
}

class TextFollower {
  readonly #pictures: Pictures;
  readonly #eyes: Eyes;
  #read: Read | undefined;
  /** The one before the one that is looked at, where that was not read. */
  #passed: RawPicture | undefined;
  #standing: Standing[] = [];
  readonly #gone: Followed[] = [];
  #picturesRead = 0;
  #linesRead = 0;

  constructor(pictures: Pictures, eyes: Eyes) {
    this.#pictures = pictures;
    this.#eyes = eyes;
  }

  /** Goes on to the next picture. */
  async see(n: number, mustRead: boolean): Promise<void> {
    const picture = await this.#pictures.at(n);
    const change = this.#read && changeBetween(this.#read.picture, picture);
    const passed = this.#passed;
    this.#passed = picture;
    const isAddedTo = change && passed && change.share > 0 && change.share < addedShareMax && changeBetween(passed, picture).share === 0;
    if (change && !mustRead && !isAddedTo) return;
    const lines = change?.share === 0 ? this.#standing.map(({ line }) => line) : await this.#linesOf(picture, change);
    await this.#goOnWith(lines, { n, picture });
    this.#read = { n, picture };
  }

  end(): TextsFollowed {
    for (const standing of this.#standing) this.#gone.push(toFollowed(standing, this.#pictures.count - 1));
    return { texts: this.#gone, picturesRead: this.#picturesRead, linesRead: this.#linesRead };
  }

  async #linesOf(picture: RawPicture, change: Change | undefined): Promise<Line[]> {
    this.#picturesRead++;
    const lines: Line[] = [];
    const before = this.#read?.picture ?? picture;
    const isSame = (box: Box) => !change?.touches(box) || leastLikenessOf(before, picture, box) >= sameMin;
    for (const box of await this.#eyes.findLines(picture)) {
      const known = change && this.#standing.find(({ line }) => covers(line.box, box) && isSame(line.box) && isSame(box));
      if (known) lines.push(known.line);
      else lines.push({ ...placeOf(box, picture), ...(await this.#readLine(picture, box)) });
    }
    return lines;
  }

  /** Joins the lines of a picture to the texts that stood in the one that was read before. */
  async #goOnWith(lines: readonly Line[], now: Read): Promise<void> {
    const before = this.#read;
    const left = new Set(this.#standing);
    const standing: Standing[] = [];
    for (const line of lines) {
      const known = [...left].find((one) => isSameText(one.line, line));
      if (known) left.delete(known);
      const text: Standing = known ?? {
        line,
        places: [],
        readings: new Map(),
        from: await this.#firstWith(line, { from: before ? before.n + 1 : now.n, until: now }),
      };
      text.line = line;
      text.places.push(line.place);
      addReading(text.readings, line);
      standing.push(text);
    }
    for (const text of left) this.#gone.push(toFollowed(text, await this.#lastWith(text.line, { from: before ?? now, until: now.n - 1 })));
    this.#standing = standing;
  }

  /** The number of the first picture from which on a line of a picture stood there; none before `from` is looked at. */
  async #firstWith(line: Line, { from, until }: { from: number; until: Read }): Promise<number> {
    let [low, high] = [isCredible(line) ? from : until.n, until.n];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (await this.#holds(middle, line, until.picture)) high = middle;
      else low = middle + 1;
    }
    return high;
  }

  /** The number of the last picture in which a line of an earlier picture still stood there. */
  async #lastWith(line: Line, { from, until }: { from: Read; until: number }): Promise<number> {
    let [low, high] = [from.n, isCredible(line) ? until : from.n];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (await this.#holds(middle, line, from.picture)) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  async #holds(n: number, line: Line, like: RawPicture): Promise<boolean> {
    const picture = await this.#pictures.at(n);
    const alike = likenessOf(like, picture, line.box);
    if (alike >= thereMin || alike <= goneMax) return alike >= thereMin;
    const { text } = await this.#readLine(picture, line.box);
    return isSameText({ text, place: line.place }, line);
  }

  async #readLine(picture: RawPicture, box: Box) {
    this.#linesRead++;
    return await this.#eyes.readLine(picture, box);
  }
}

/** Whether it is worth looking for where a line begins and ends. */
function isCredible({ text, confidence }: Line): boolean {
  return confidence >= credibleMin && text.length > 1;
}

function addReading(readings: Standing['readings'], { text, confidence }: Line): void {
  const known = readings.get(text);
  readings.set(text, { pictures: (known?.pictures ?? 0) + 1, confidence: Math.max(known?.confidence ?? 0, confidence) });
}

/** What moves is told where it stood half-way. */
function toFollowed({ line, places, from, readings }: Standing, to: number): Followed {
  return {
    from,
    to,
    place: places[places.length >> 1] ?? line.place,
    heightPx: line.heightPx,
    readings: Array.from(readings, ([text, { pictures, confidence }]) => ({ text, pictures, confidence })),
  };
}

function covers(a: Box, b: Box): boolean {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 && width * height >= 0.7 * Math.max(a.width * a.height, b.width * b.height);
}

function placeOf(box: Box, picture: RawPicture): Pick<Line, 'box' | 'place' | 'heightPx'> {
  const { width, height } = picture;
  const place = { x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height };
  return { box, place, heightPx: box.height * enlargementOf(picture) };
}
