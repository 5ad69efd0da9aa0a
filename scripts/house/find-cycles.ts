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
