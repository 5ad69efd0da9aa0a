/*
 * Moments: what is said, written and seen in a film, and when. Machines and imports leave layers, people leave corrections;
 * here both are folded into the packed row that search and pages read.
 */
import { applyToLines } from './apply-to-lines.ts';
import { type CorrectedLine, type Correction, compareByTime } from './corrections.ts';
import type { FilmFacts, Layer, NamesLayer } from './layers.ts';
import { isNobody, type Moment } from './moment.ts';
import { momentsOfFaces, nameFaces } from './name-faces.ts';

/** What layers and corrections come to: all that search, pages and the Index document know of a film's content. */
export interface Composition extends Readonly<Record<NamesLayer, readonly string[]>> {
  /** Undefined where no source says anything of the film as a whole. */
  readonly facts: FilmFacts | undefined;
  readonly moments: readonly Moment[];
  /** The corrections by which moments say what they say, of those that people corrected or confirmed. */
  readonly correctedBy: ReadonlyMap<Moment, Correction['id']>;
  /** Those that stand but find nothing to change: what they were made for is no longer there. */
  readonly unfitting: ReadonlySet<Correction['id']>;
}

/**
 * Folds what the steps found and what people changed into what is shown. Corrections that were undone change nothing. Of a film that ends
 * at `endMs` nothing is said of the time behind that: names that came with another file of it may be placed there, and so may its poster.
 */
export function compose(layers: readonly Layer[], corrections: readonly Correction[], endMs = Number.POSITIVE_INFINITY): Composition {
  const lines = linesOf(
    layers.map((layer) => ('names' in layer ? { ...layer, moments: layer.moments.filter(({ startMs }) => startMs <= endMs) } : layer)),
  );
  const names = namesOf(layers, lines);
  let facts = factsOf(layers);
  const named = nameFaces(
    layers.flatMap((layer) => (layer.name === 'faces' ? layer.groups : [])),
    corrections,
  );
  const unfitting = new Set<Correction['id']>(named.unfitting);
  for (const correction of corrections) {
    const { id, target, says, undone } = correction;
    if (target.kind === 'Poster' && !undone && target.startMs >= endMs) unfitting.add(id);
    if (target.kind === 'Person' || target.kind === 'Poster') continue;
    if (target.kind === 'Name') {
      if (!applyToNames(names[target.layer], { id, says, undone, replaces: target.replaces })) unfitting.add(id);
      continue;
    }
    if (target.kind !== 'Title' && target.kind !== 'Fact') {
      if (!applyToLines(lines.get(`${target.layer} ${target.kind}`) ?? [], { id, target, says, undone })) unfitting.add(id);
      continue;
    }
    // A film has one title, whatever it was called before: what a person called it last holds. So it is with all that is known of it as a whole.
    if (!facts || undone) continue;
    facts = target.kind === 'Title' ? { ...facts, name: says ?? facts.name } : { ...facts, [target.fact]: says || null };
  }
  const { people, labels, brands } = names;
  const corrected = [...lines.values(), people.moments, labels.moments, brands.moments].flat();
  const seen = momentsOfFaces(named.faces);
  const more = new Set(seen.map(({ text }) => text).filter((name) => !people.names.includes(name)));
  return {
    facts,
    people: [...people.names, ...more].filter((name) => !isNobody(name)),
    labels: labels.names,
    brands: brands.names,
    moments: [...corrected.map(({ moment }) => moment), ...seen],
    unfitting,
    correctedBy: new Map(corrected.flatMap(({ moment, by }) => (by === undefined ? [] : [[moment, by]]))),
  };
}

/** Whom and what the film names, with their moments, which are taken out of `lines`. */
function namesOf(layers: readonly Layer[], lines: Map<string, CorrectedLine[]>): Record<NamesLayer, Names> {
  const of = (name: NamesLayer): Names => {
    const keys = [...lines.keys()].filter((key) => key.startsWith(`${name} `));
    const moments = keys.flatMap((key) => lines.get(key) ?? []);
    for (const key of keys) lines.delete(key);
    return { names: namesIn(layers, name), moments, instead: new Map() };
  };
  return { people: of('people'), labels: of('labels'), brands: of('brands') };
}

/** What a film names, and when that is to be seen or heard. */
interface Names {
  names: readonly string[];
  moments: CorrectedLine[];
  /** What stands there instead of a name whose correction was taken back: what it replaced, or nothing ('') where it was added. */
  readonly instead: Map<string, string>;
}

/**
 * Applies a correction to the names of one layer: each stands there once, in the order in which it came. False where the name is not there that it
 * changes or takes out; adding what is there already changes nothing. One that was taken back changes nothing, but those made after it still find
 * what it had named.
 */
function applyToNames(
  known: Names,
  { id, says, undone, replaces: named }: Pick<Correction, 'id' | 'says' | 'undone'> & { readonly replaces: string },
): boolean {
  const isKnown = (name: string) => known.names.includes(name) || known.moments.some(({ moment }) => moment.text === name);
  const replaces = isKnown(named) ? named : (known.instead.get(named) ?? named);
  if (undone) {
    if (says) known.instead.set(says, replaces);
    return true;
  }
  if (replaces === '') {
    if (says && !known.names.includes(says)) known.names = [...known.names, says];
    return true;
  }
  if (!isKnown(replaces)) return false;
  const isIt = ({ moment }: CorrectedLine) => moment.text === replaces;
  if (says) {
    known.names = [...new Set(known.names.map((name) => (name === replaces ? says : name)))];
    known.moments = known.moments.map((one) =>
      isIt(one) ? { moment: { ...one.moment, text: says, review: 'corrected' as const }, by: id } : one,
    );
  } else {
    known.names = known.names.filter((name) => name !== replaces);
    known.moments = known.moments.filter((one) => !isIt(one));
  }
  return true;
}

/** A face without a name is no person. */
function isOfSomebody({ kind, text }: Moment): boolean {
  return kind !== 'Face' || !isNobody(text);
}

/** The moments of all layers, those that are corrected line by line in order of time. */
function linesOf(layers: readonly Layer[]): Map<string, CorrectedLine[]> {
  // Somebody may add a line where nothing was heard.
  const lines = new Map<string, CorrectedLine[]>([['captions Transcript', []]]);
  for (const layer of layers) {
    if (!('moments' in layer)) continue;
    for (const moment of layer.moments.filter(isOfSomebody)) {
      const key = `${layer.name} ${moment.kind}`;
      const same = lines.get(key);
      if (same) same.push({ moment });
      else lines.set(key, [{ moment }]);
    }
  }
  for (const same of lines.values()) same.sort(compareByTime);
  return lines;
}

/** Where several sources tell of the film as a whole, each adds what those before it left open. */
function factsOf(layers: readonly Layer[]): FilmFacts | undefined {
  const all = layers.flatMap((layer) => (layer.name === 'catalogue' ? [layer.facts] : []));
  const [first] = all;
  const known = first && all.slice(1).reduce((before, more) => fillIn(before, more), first);
  const heard = layers.find((layer) => layer.name === 'language');
  return known && heard ? { ...known, language: heard.language } : known;
}

function fillIn(known: FilmFacts, more: FilmFacts): FilmFacts {
  return {
    name: known.name,
    externalId: known.externalId ?? more.externalId,
    description: known.description ?? more.description,
    owner: known.owner ?? more.owner,
    recordedAt: known.recordedAt ?? more.recordedAt,
    place: known.place ?? more.place,
    language: known.language,
    rights: known.rights ?? more.rights,
  };
}

/** The names of one source as it gave them, then those that another adds. */
function namesIn(layers: readonly Layer[], name: NamesLayer): string[] {
  const names: string[] = [];
  for (const layer of layers) {
    if (layer.name !== name) continue;
    const known = new Set(names);
    names.push(...layer.names.filter((one) => !known.has(one)));
  }
  return names;
}
