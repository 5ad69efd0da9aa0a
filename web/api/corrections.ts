import { queryOptions } from '@tanstack/react-query';
import type {
  CorrectedFacts,
  CorrectedNames,
  DetailsPreviewRow,
  DetailsRow,
  FaceEntry,
  FactName,
  FilmMark,
  ForgottenPerson,
  LineEntry,
  LinesChange,
  NameKind,
} from '#contract/corrections.ts';
import { limits } from '#contract/limits.ts';
import { call } from './call.ts';
import { CallFailed } from './call-failed.ts';
import { invalidateLists, queryClient, toFactsKey } from './query-client.ts';
import { readCurrentVisitor } from './visitor-change.ts';

/** What is known of a film as a whole, and what people changed of it. */
export function correctionsOf(id: string) {
  return queryOptions({
    queryKey: ['corrections', id],
    queryFn: ({ signal }) => call('listCorrections', { id }, { signal }),
    // Others correct too.
    staleTime: 0,
  });
}

/** Has something else known of a film as a whole; returns all of it as it is then, and by which correction. Throws a `CallFailed` with the server's words. */
export async function correctFact(id: string, change: { fact: FactName; replaces: string; says: string }): Promise<CorrectedFacts> {
  const facts = await call('correctFact', { id, ...change });
  forgetNames(id);
  return facts;
}

/** Has a film name a person, label or brand, call it something else (both told), or name it no more; returns all that it names then, and by which correction. Throws a `CallFailed`. */
export async function correctName(id: string, change: { kind: NameKind; replaces: string; says: string }): Promise<CorrectedNames> {
  const names = await call('correctName', { id, ...change });
  forgetNames(id);
  return names;
}

/** What the rows of a table would change, in their order; `key` tells one table, read in one way, from another. Asks for nothing without rows. */
export function detailsPreviewOf(key: string, asked: { by: FilmMark; rows: readonly DetailsRow[] } | null) {
  return queryOptions({
    queryKey: ['details-preview', key],
    queryFn: async ({ signal }) => {
      const found: DetailsPreviewRow[] = [];
      for (let n = 0; asked && n < asked.rows.length; n += limits.detailsRowsMax) {
        const rows = asked.rows.slice(n, n + limits.detailsRowsMax);
        found.push(...(await call('previewDetails', { by: asked.by, rows }, { signal })).rows);
      }
      return found;
    },
    enabled: asked !== null,
    // Others correct too.
    staleTime: 0,
  });
}

/** Takes a correction back; returns what the film is called then. Throws a `CallFailed` with the server's words. */
export async function undoCorrection(id: string, correction: number): Promise<string> {
  const { name } = await call('undoCorrection', { id, correction: String(correction) });
  forgetNames(id);
  return name;
}

/** What is said in a film, line by line. */
export function linesOf(id: string) {
  return queryOptions({
    queryKey: ['lines', id],
    queryFn: async ({ signal }) => (await call('listLines', { id }, { signal })).lines,
    // Others correct too.
    staleTime: 0,
  });
}

/** Has other lines stand in the place of those that were seen; returns all lines as they are then, and by which correction. Throws a `CallFailed` with the server's words. */
export async function correctLines(id: string, changes: LinesChange[]): Promise<{ lines: LineEntry[]; correction: number | null }> {
  const { lines, correction } = await call('correctLines', { id, changes });
  showLines(id, lines);
  return { lines, correction };
}

function showLines(id: string, lines: LineEntry[]): void {
  queryClient.setQueryData(linesOf(id).queryKey, lines);
  void queryClient.invalidateQueries({ queryKey: correctionsOf(id).queryKey });
}

/**
 * The same of as many lines as there are, by as many calls as that takes; `onWritten` hears by which corrections so far, of which the last is taken
 * back first. Where one call is refused, what those before it did is taken back, and it throws; what could not be taken back stays told.
 */
export async function correctManyLines(
  id: string,
  changes: readonly LinesChange[],
  onWritten: (corrections: readonly number[]) => void,
): Promise<void> {
  const visitor = readCurrentVisitor();
  const corrections: number[] = [];
  let now: LineEntry[] = [];
  for (let n = 0; n < changes.length; n += limits.changesAtOnceMax) {
    // Nothing is written in the name of whoever signs in meanwhile.
    if (readCurrentVisitor() !== visitor) throw new Error('Stopped: someone else has signed in.');
    const part = changes.slice(n, n + limits.changesAtOnceMax);
    const said = await call('correctLines', { id, changes: part }).catch((error: Error) => giveUp(id, { error, corrections, onWritten }));
    if (said.correction !== null) corrections.push(said.correction);
    onWritten([...corrections]);
    now = said.lines;
  }
  // Half of it is shown to nobody.
  showLines(id, now);
}

async function giveUp(
  id: string,
  { error, corrections, onWritten }: { error: Error; corrections: readonly number[]; onWritten: (corrections: readonly number[]) => void },
): Promise<never> {
  const isTakenBack = await undoCorrections(id, corrections).then(
    () => true,
    () => false,
  );
  if (!isTakenBack) throw new Error(`${error.message} A part of the lines was changed before: “Undo all” takes it back.`, { cause: error });
  onWritten([]);
  throw error;
}

/** Takes several corrections of a film back, the last first; one that somebody has taken back already is as it should be. Throws a `CallFailed`. */
export async function undoCorrections(id: string, corrections: readonly number[]): Promise<void> {
  for (const correction of corrections.toReversed())
    await undoCorrection(id, correction).catch((error: unknown) => {
      if (!(error instanceof CallFailed && error.code === 'conflict')) throw error;
    });
}

/**
 * Has the lines of a subtitle file stand in the place of all that is said; returns what of the file was left out, and by which correction they
 * stand there. Throws a `CallFailed` with the server's words.
 */
export async function replaceLines(id: string, file: Blob): Promise<{ count: number; remarks: string[]; correction: number | null }> {
  const { lines, remarks } = await call('replaceLines', { id, file: await toBase64(file) });
  showLines(id, lines);
  return { count: lines.length, remarks, correction: lines[0]?.correction ?? null };
}

/** Browsers make it of bytes within an address that holds them. */
export async function toBase64(file: Blob): Promise<string> {
  const reader = new FileReader();
  const read = new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = () => reject(reader.error);
  });
  reader.readAsDataURL(file);
  await read;
  return String(reader.result).split(',')[1] ?? '';
}

/** The faces that were found in a film, and whose they are as far as somebody said so. */
export function facesOf(id: string) {
  return queryOptions({
    queryKey: ['faces', id],
    queryFn: ({ signal }) => call('listFaces', { id }, { signal }),
    // Others name them too.
    staleTime: 0,
  });
}

/** Says whose face it is, always or in some appearances; an empty name says that it is somebody else's. Returns the name as it is kept. Throws a `CallFailed` with the server's words. */
export async function namePerson(
  id: string,
  naming: { mark: string; replaces: string; name: string; appearances?: number[] },
): Promise<string> {
  const { name } = await call('namePerson', { id, ...naming });
  forgetNames(id);
  void queryClient.invalidateQueries(facesOf(id));
  return name;
}

/** Says that two faces without a name are one person; returns the correction by which that is taken back. Throws a `CallFailed` with the server's words. */
export async function mergeFaces(id: string, one: FaceSeen, other: FaceSeen): Promise<number> {
  const both = { mark: one.mark, replaces: one.name, otherMark: other.mark, otherReplaces: other.name };
  const { correction } = await call('mergeFaces', { id, ...both });
  forgetNames(id);
  void queryClient.invalidateQueries(facesOf(id));
  return correction;
}

type FaceSeen = Pick<FaceEntry, 'mark' | 'name'>;

/** Forgets whose face it is, or whom the film names (`mark` null), for good. Throws a `CallFailed` with the server's words. */
export async function forgetPerson(
  id: string,
  { mark, ...person }: { mark: string | null; name: string; everywhere: boolean },
): Promise<ForgottenPerson> {
  const forgotten = await (mark === null ? call('forgetName', { id, ...person }) : call('forgetPerson', { id, mark, ...person }));
  forgetNames(id);
  void queryClient.invalidateQueries(facesOf(id));
  return forgotten;
}

/** Lists that tell what films are called are asked for again when they are next looked at; what plays goes on. */
function forgetNames(id: string): void {
  invalidateLists();
  void queryClient.invalidateQueries({ queryKey: correctionsOf(id).queryKey });
  // Its page tells them.
  void queryClient.invalidateQueries({ queryKey: toFactsKey(id) });
}
