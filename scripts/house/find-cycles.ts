import { dirname } from 'node:path';

/** The groups of files that import each other in a ring, however long; types count, for a reader walks in the same ring. */
export function findCycles(files: readonly { readonly path: string; readonly imports: readonly string[] }[]): string[][] {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports]));
  const reached = new Map(files.map(({ path }) => [path, reachedFrom(path, importsOf)]));
  const groups = new Map<string, string[]>();
  for (const { path } of files) {
    if (!reached.get(path)?.has(path)) continue;
    const ring = [...(reached.get(path) ?? [])].filter((other) => reached.get(other)?.has(path)).sort();
    groups.set(ring.join(' '), ring);
  }
  return [...groups.values()];
}

function reachedFrom(path: string, importsOf: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set(importsOf.get(path));
  for (const one of reached) for (const next of importsOf.get(one) ?? []) reached.add(next);
  return reached;
}

/** The groups of rooms, folders beside each other with all that is in them, that import each other in a ring. */
export function findRoomCycles(files: readonly { readonly path: string; readonly imports: readonly string[] }[]): string[][] {
  const places = new Set(files.flatMap(({ path }) => foldersAbove(path)));
  return [...places].flatMap((place) => {
    const roomOf = (path: string) => foldersAbove(path).find((folder) => dirname(folder) === place);
    const rooms = Map.groupBy(files, ({ path }) => roomOf(path));
    return findCycles(
      [...rooms].flatMap(([room, inside]) => {
        if (room === undefined) return [];
        const imported = inside.flatMap(({ imports }) => imports.flatMap((path) => roomOf(path) ?? []));
        return [{ path: room, imports: imported.filter((other) => other !== room) }];
      }),
    );
  });
}

/** The folders in which a file stands, the lowest first. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}
