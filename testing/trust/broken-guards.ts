/** One place where a guard stands, and what stands there without it. */
export interface Break {
  /** From the root of the project. */
  readonly file: string;
  /** Text of that file; it stands there exactly once. */
  readonly guard: string;
  readonly without: string;
}

/**
 * How each check of `npm run -s report:trust` loses what it proves, for `--broken NAME`: the sources are changed while they are loaded,
 * so that the archive itself has no switch that turns a guard off.
 */
export const brokenGuards: Readonly<Record<string, readonly Break[]>> = {
  'power-cut': [
    { file: 'domain/files/local-store.ts', guard: '      await syncTree(draft);\n', without: '' },
    { file: 'domain/files/local-store.ts', guard: '    await syncToDisk(draft);\n', without: '' },
    { file: 'domain/files/local-store.ts', guard: '  await syncToDisk(source);\n', without: '' },
  ],
  'foreign-database': [
    { file: 'ingest/sweep-archive.ts', guard: '  if (refusal !== undefined) return log(', without: '  if (refusal !== undefined) log(' },
    {
      file: 'ingest/sweep-archive.ts',
      guard: 'await store.remove(toVideoKeys(id).all, reason)',
      without: "await store.remove(toVideoKeys(id).all, '').then(async (entry) => (await store.trash.purge(entry?.name ?? ''), entry))",
    },
  ],
  restore: [
    {
      file: 'domain/backup/dump-database.ts',
      guard: 'for (const table of ours) tables.push(',
      without: `for (const table of ours.filter(({ name }) => name !== 'audit')) tables.push(`,
    },
    {
      file: 'domain/backup/contents.ts',
      guard: "|| hash.digest('hex') !== sha256) throw",
      without: ') throw',
    },
  ],
  cache: [
    { file: 'server/http/security-headers.ts', guard: "'cache-control': 'no-store',", without: "'cache-control': 'public, max-age=60'," },
  ],
  'two-databases': [{ file: 'domain/db/postgres-processes.ts', guard: '`flock -n 9 || exit', without: '`true || exit' }],
  sandbox: [
    {
      file: 'ingest/tools/sandbox.ts',
      guard: 'return process.getuid?.() === 0 ? [{ words: world([], otherUser), isOtherUser: true }, ...ways] : ways;',
      without: 'return ways.slice(-1);',
    },
  ],
  'memory-bomb': [
    { file: 'ingest/tools/run-held.ts', guard: 'memoryBytes: serverLimits.decoderMaxBytes.memory', without: 'memoryBytes: 64 * 1024 ** 3' },
  ],
  'costly-search': [
    {
      file: 'server/http/rate-limits.ts',
      guard: 'if (retryAfterSeconds === 0)',
      without: 'if (retryAfterSeconds >= 0)',
    },
    {
      file: 'server/http/search-queue.ts',
      guard: 'isAlone(heardAt, one.asker, now()) ||',
      without: 'heardAt.size >= 0 ||',
    },
    {
      file: 'server/http/search-queue.ts',
      guard: 'going.size >= atOnce + (isNew ? 1 : 0)',
      without: 'going.size >= (isNew ? 100 : 100)',
    },
    {
      file: 'server/http/search-queue.ts',
      guard: '>= countsAtOnce) return false;',
      without: '>= 100) return false;',
    },
  ],
  harvest: [
    {
      file: 'server/video-service/present-answer.ts',
      guard: 'if (reader.mayWatch) return results;',
      without: "if (reader.mayWatch || reader.reading === 'words') return results;",
    },
  ],
};

/** The source of `path` (from the root of the project) without the guards of this check. Throws when a guard is not where it was. */
export function withoutGuards(check: string, path: string, source: string): string {
  let text = source;
  for (const { guard, without } of breaksOf(check).filter(({ file }) => file === path)) {
    if (text.split(guard).length !== 2)
      throw new Error(`${path} does not hold exactly one ${JSON.stringify(guard)}: mend broken-guards.ts`);
    text = text.replace(guard, () => without);
  }
  return text;
}

function breaksOf(check: string): readonly Break[] {
  const breaks = brokenGuards[check];
  if (!breaks) throw new Error(`No guard is known by the name "${check}". There are: ${Object.keys(brokenGuards).join(', ')}.`);
  return breaks;
}
