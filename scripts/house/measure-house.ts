import { dirname } from 'node:path';
import { findCycles } from './find-cycles.ts';
import type { Unused } from './find-unused.ts';
import { isNoun } from './function-names.ts';
import type { SourceFile } from './read-source.ts';

/** One figure of the house. The bar is the most that it may be; `where` names what stands behind it. */
export interface Measure {
  readonly measure: string;
  readonly value: number;
  readonly bar?: number;
  readonly where?: readonly string[];
}

const filesPerFolderMax = 25;

/** The figures of these files, and of what nothing uses. */
export function measureHouse(files: readonly SourceFile[], unused: Unused): Measure[] {
  const lines = files.map((file) => file.lines);
  const lengths = functionsOf(files).map((one) => one.lines);
  return [
    { measure: 'files', value: files.length },
    { measure: 'linesP50', value: atShare(lines, 0.5) },
    { measure: 'linesP95', value: atShare(lines, 0.95) },
    { measure: 'linesMax', value: Math.max(0, ...lines) },
    { measure: 'functionP95', value: atShare(lengths, 0.95), bar: 22 },
    longest('functionMax', functionsOf(files.filter(({ path }) => path.endsWith('.ts'))), 60),
    longest('functionMaxTsx', functionsOf(files.filter(({ path }) => path.endsWith('.tsx'))), 120),
    counted('nounFunctions', nounsIn(files), 0),
    counted('singleImporterFiles', singleImporters(files), 141),
    counted('effects', placesOf(files, 'effects'), 12),
    counted('casts', placesOf(files, 'casts')),
    counted(
      'cycles',
      findCycles(files).map((ring) => ring.join(' → ')),
      0,
    ),
    counted('roomRings', ringsOfRooms(files), 0),
    counted('unusedExports', unused.exports, 0),
    counted('unusedDependencies', unused.dependencies, 0),
    counted('foldersOver25Files', crowdedFolders(files), 0),
  ];
}

function counted(measure: string, where: readonly string[], bar?: number): Measure {
  return { measure, value: where.length, bar, where };
}

function longest(measure: string, functions: readonly { where: string; lines: number }[], bar: number): Measure {
  const over = functions.filter(({ lines }) => lines > bar);
  return { measure, value: Math.max(0, ...functions.map(({ lines }) => lines)), bar, where: over.map(({ where }) => where) };
}

/** The value that this share of the values is at most. */
function atShare(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;
}

function functionsOf(files: readonly SourceFile[]): { where: string; lines: number }[] {
  return files.flatMap(({ path, functions }) => functions.map(({ line, lines }) => ({ where: `${path}:${line}`, lines })));
}

function nounsIn(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, named }) => named.filter(({ name }) => isNoun(name)).map(({ name, line }) => `${path}:${line} ${name}`));
}

function placesOf(files: readonly SourceFile[], what: 'effects' | 'casts'): string[] {
  return files.flatMap((file) => file[what].map((line) => `${file.path}:${line}`));
}

/** What one file alone imports might as well stand in it, unless people look for it by its name. */
function singleImporters(files: readonly SourceFile[]): string[] {
  const importers = Map.groupBy(
    files.flatMap(({ path, imports }) => imports.map((imported) => ({ path, imported }))),
    ({ imported }) => imported,
  );
  return [...importers].flatMap(([imported, by]) => (by.length === 1 ? [`${imported} ← ${by[0]?.path}`] : [])).sort();
}

/** Rooms that ask each other, by their folders; a room and those within it may. */
function ringsOfRooms(files: readonly SourceFile[]): string[] {
  const asked = new Set(
    files.flatMap(({ path, imports }) => imports.flatMap((imported) => roomsBetween(dirname(path), dirname(imported)))),
  );
  return [...asked].flatMap((pair) => {
    const [from = '', to = ''] = pair.split(' ');
    const isWithin = `${to}/`.startsWith(`${from}/`) || `${from}/`.startsWith(`${to}/`);
    return from < to && !isWithin && asked.has(`${to} ${from}`) ? [`${from} ↔ ${to}`] : [];
  });
}

/** The two rooms, and those in which they lie where these are neighbours: what asks a room within another asks that one. */
function roomsBetween(from: string, to: string): string[] {
  const [ours, theirs] = [from.split('/'), to.split('/')];
  const parted = ours.findIndex((name, n) => name !== theirs[n]);
  const neighbours = [ours, theirs].map((names) => names.slice(0, parted + 1).join('/'));
  return parted < 1 ? [`${from} ${to}`] : [`${from} ${to}`, neighbours.join(' ')];
}

function crowdedFolders(files: readonly SourceFile[]): string[] {
  const folders = Map.groupBy(files, ({ path }) => dirname(path));
  return [...folders].filter(([, inside]) => inside.length > filesPerFolderMax).map(([folder, inside]) => `${folder}: ${inside.length}`);
}
