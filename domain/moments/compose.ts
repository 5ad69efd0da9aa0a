import type { Correction, CorrectionTarget } from './corrections.ts';
import type { FilmFacts, Layer, LayerName, NamesLayer } from './layers.ts';
import { isNobody, type Moment } from './moment.ts';
import { momentsOfFaces, nameFaces } from './name-faces.ts';

/** What layers and corrections come to: all that search, pages and the Index document know of a film's content. */
export interface Composition extends Readonly<Record<NamesLayer, readonly string[]>> {
  /** Undefined where no source says anything of the film as a whole. */
  readonly facts: FilmFacts | undefined;
  readonly moments: readonly Moment[];
  /** Those that stand but find nothing to change: what they were made for is no longer there. */
  readonly unfitting: ReadonlySet<Correction['id']>;
}

/** Folds what the steps found and what people changed into what is shown. Corrections that were undone change nothing. */
export function compose(layers: readonly Layer[], corrections: readonly Correction[]): Composition {
  const placed: PlacedMoment[] = layers.flatMap((layer) =>
    !('moments' in layer) ? [] : layer.moments.filter(isOfSomebody).map((moment) => ({ layer: layer.name, moment })),
  );
  let facts = factsOf(layers);
  const named = nameFaces(
    layers.flatMap((layer) => (layer.name === 'faces' ? layer.groups : [])),
    corrections,
  );
  const unfitting = new Set<Correction['id']>(named.unfitting);
  for (const correction of corrections.filter(({ undone }) => !undone)) {
    const { target, says } = correction;
    if (target.kind === 'Title') {
      // A film has one title, whatever it was called before: what a person called it last holds.
      if (facts) facts = { ...facts, name: says ?? facts.name };
      continue;
    }
    if (target.kind === 'Person') continue;
    const n = findTarget(placed, target, says);
    const found = placed[n];
    if (found) placed[n] = { ...found, moment: reviewed(found.moment, says) };
    else unfitting.add(correction.id);
  }
  const names = (name: NamesLayer) => namesIn(layers, name);
  const seen = momentsOfFaces(named.faces);
  const known = names('people');
  const more = new Set(seen.map(({ text }) => text).filter((name) => !known.includes(name)));
  return {
    ...{ facts, people: [...known, ...more].filter((name) => !isNobody(name)), labels: names('labels'), brands: names('brands') },
    ...{ moments: [...placed.map(({ moment }) => moment), ...seen], unfitting },
  };
}

/** A face without a name is no person. */
function isOfSomebody({ kind, text }: Moment): boolean {
  return kind !== 'Face' || !isNobody(text);
}

type MomentTarget = Exclude<CorrectionTarget, { kind: 'Title' | 'Person' }>;

interface PlacedMoment {
  readonly layer: LayerName;
  readonly moment: Moment;
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

/**
 * The number of the moment that a correction is about, -1 when there is none: it stands in that layer about that time and says what was
 * replaced, or by now what it was replaced by. Of several the one that begins nearest.
 */
function findTarget(placed: readonly PlacedMoment[], target: MomentTarget, says: string | null): number {
  const { kind, startMs, endMs, replaces } = target;
  const wanted = new Set([replaces, says ?? replaces].map(oneSpaced));
  const distanceMs = ({ layer, moment }: PlacedMoment) =>
    layer === target.layer &&
    moment.kind === kind &&
    moment.startMs <= endMs &&
    moment.endMs >= startMs &&
    wanted.has(oneSpaced(moment.text))
      ? Math.abs(moment.startMs - startMs)
      : Number.POSITIVE_INFINITY;
  let best = -1;
  let bestMs = Number.POSITIVE_INFINITY;
  for (const [n, one] of placed.entries()) {
    const ms = distanceMs(one);
    if (ms < bestMs) [best, bestMs] = [n, ms];
  }
  return best;
}

/** A recogniser that says by now what a person wrote is confirmed by them. */
function reviewed({ isRough: _, ...moment }: Moment, says: string | null): Moment {
  if (says === null || oneSpaced(says) === oneSpaced(moment.text)) return { ...moment, review: moment.review ?? 'verified' };
  return { ...moment, text: says, review: 'corrected' };
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
