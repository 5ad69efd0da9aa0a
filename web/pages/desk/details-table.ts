import Papa from 'papaparse';
import type { DetailsPreviewRow, DetailsRow, FactName, FilmMark } from '#contract/corrections.ts';

/** What a column of a table holds: what tells the film, something that is to be known of it, or nothing that is read. */
export type ColumnUse = { readonly is: 'mark'; readonly by: FilmMark } | { readonly is: 'fact'; readonly fact: FactName } | null;

export interface DetailsTable {
  readonly columns: readonly string[];
  /** The cells below the names of the columns; `line` is the number that a spreadsheet shows beside the row. */
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
  /** What could not be read, a sentence each. */
  readonly remarks: readonly string[];
}

/** Reads a table with the names of its columns in its first line: parted by commas, semicolons or tabs, as UTF-8, UTF-16 or what Excel writes. */
export function readTable(bytes: Uint8Array<ArrayBuffer>): DetailsTable {
  const text = decodeTable(bytes);
  const { data, errors } = Papa.parse<string[]>(text, { skipEmptyLines: false, delimiter: delimiterOf(text) });
  const [columns = [], ...below] = data.map((cells) => cells.map((cell) => cell.trim()));
  const remarks = errors.filter(({ type }) => type === 'Quotes').map(({ row, message }) => `Row ${(row ?? 0) + 1}: ${message}.`);
  const rows = below
    .map((cells, n) => ({ line: n + 2, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map((row) => {
      if (row.cells.length > columns.length)
        remarks.push(`Row ${row.line} has more cells than there are columns; the extra cells are ignored.`);
      return row;
    });
  return { columns, rows, remarks };
}

/** Whatever parts the names of the columns into most: rows below may be short or empty. */
function delimiterOf(text: string): string {
  const columnsBy = (delimiter: string) => Papa.parse<string[]>(text, { preview: 1, delimiter }).data[0]?.length ?? 0;
  return [',', ';', '\t'].reduce((best, next) => (columnsBy(next) > columnsBy(best) ? next : best));
}

function decodeTable(bytes: Uint8Array<ArrayBuffer>): string {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** What columns are commonly called; the first that fits is taken, once. */
const usual: readonly { readonly name: RegExp; readonly use: ColumnUse }[] = [
  { name: /^(?:external ?id|identifier|accession|tape|signature|shelf ?mark)/i, use: { is: 'mark', by: 'externalId' } },
  { name: /^(?:file ?name|file)$/i, use: { is: 'mark', by: 'fileName' } },
  { name: /^(?:video ?id|id)$/i, use: { is: 'mark', by: 'id' } },
  { name: /^(?:title|name)$/i, use: { is: 'fact', fact: 'title' } },
  { name: /^(?:description|abstract|summary)$/i, use: { is: 'fact', fact: 'description' } },
  { name: /^(?:recorded|recorded ?at|date|year)/i, use: { is: 'fact', fact: 'recordedAt' } },
  { name: /^(?:place|location|where)$/i, use: { is: 'fact', fact: 'place' } },
  { name: /^lang/i, use: { is: 'fact', fact: 'language' } },
  { name: /^(?:rights|licen[cs]e)/i, use: { is: 'fact', fact: 'rights' } },
];

/** What each column most likely holds, by its name. Where no other tells the film, its title does. */
export function guessUses(columns: readonly string[]): ColumnUse[] {
  const taken = new Set<string>();
  const uses = columns.map((column): ColumnUse => {
    const use = usual.find(({ name }) => name.test(column.replace(/[_-]/g, ' ')))?.use ?? null;
    const key = use?.is === 'mark' ? 'mark' : use?.fact;
    if (!key || taken.has(key)) return null;
    taken.add(key);
    return use;
  });
  if (taken.has('mark')) return uses;
  return uses.map((use) => (use?.is === 'fact' && use.fact === 'title' ? { is: 'mark', by: 'title' } : use));
}

/** What is longer is refused row by row, in words, and not all of the table with it. */
const [markMaxLength, saysMaxLength] = [2_000, 20_000];

/** What a row says by what its columns hold; an empty cell says nothing. Null where no column tells the film. */
export function rowsAs(table: DetailsTable, uses: readonly ColumnUse[]): { by: FilmMark; rows: DetailsRow[] } | null {
  const at = uses.findIndex((use) => use?.is === 'mark');
  const mark = uses[at];
  if (mark?.is !== 'mark') return null;
  const rows = table.rows.map(({ cells }) => {
    const says: DetailsRow['says'] = {};
    for (const [n, use] of uses.entries()) if (use?.is === 'fact' && cells[n]) says[use.fact] = cells[n].slice(0, saysMaxLength);
    return { mark: (cells[at] ?? '').slice(0, markMaxLength), says };
  });
  return { by: mark.by, rows };
}

export const factNames: Readonly<Record<FactName, string>> = {
  title: 'Title',
  description: 'Description',
  externalId: 'External id',
  recordedAt: 'Recorded',
  place: 'Place',
  language: 'Language',
  rights: 'Rights',
};

/** A detail of a film as it would be, and the correction by which it is, once that was written. */
export interface DetailChange {
  readonly id: string;
  readonly name: string;
  readonly fact: FactName;
  readonly replaces: string;
  readonly says: string;
  correction?: number | null;
}

/** Every change once. Of rows that say different things of one film the first counts; the others are told of. */
export function changesOf(rows: readonly (DetailsPreviewRow & { line: number })[]) {
  const [changes, doubled]: [DetailChange[], string[]] = [[], []];
  const first = new Map<string, { says: string; line: number }>();
  for (const { video, changes: all, line } of rows)
    for (const change of video ? all : []) {
      const key = `${video?.id} ${change.fact}`;
      const known = first.get(key);
      if (!known && video) changes.push({ id: video.id, name: video.name, ...change });
      if (!known) first.set(key, { says: change.says, line });
      else if (known.says !== change.says)
        doubled.push(`Row ${line}: row ${known.line} says something else of this video (${factNames[change.fact]}).`);
    }
  return { changes, doubled };
}
