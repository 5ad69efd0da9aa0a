import type { ActivityEntry } from '#contract/users.ts';

const columns = [
  'at',
  'action',
  'detail',
  'actor',
  'actor e-mail',
  'actor uid',
  'subject',
  'subject e-mail',
  'subject uid',
  'from',
  'film',
  'film id',
];

/** The audit as a table (RFC 4180), instants in UTC. A byte order mark tells spreadsheets that it is UTF-8. */
export async function* activityCsv(pages: AsyncIterable<ActivityEntry[]>): AsyncGenerator<string> {
  yield `\ufeff${csvRow(columns)}`;
  for await (const entries of pages) yield entries.map((entry) => csvRow(cellsOf(entry))).join('');
}

function cellsOf({ at, action, detail, actor, subject, video, from }: ActivityEntry): string[] {
  const who = actor ? [actor.displayName, actor.email, actor.uid] : ['', '', ''];
  const whom = subject ? [subject.displayName, subject.email, subject.uid] : ['', '', ''];
  return [at, action, detail, ...who, ...whom, from, video?.name ?? '', video?.id ?? ''];
}

function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * A spreadsheet computes what begins like a formula; an apostrophe in front makes it a text. Where numbers are written with a comma,
 * it begins a new cell at every semicolon as well.
 */
function csvCell(text: string): string {
  const harmless = text.replace(/(?<=^|;)(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])/gu, "'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
