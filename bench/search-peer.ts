import { existsSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { MeasuredArchive, PlainQuestion } from '#testing/measured-archive.ts';

const rowsMax = 240;
const videosMax = 12;

/** SQLite FTS5 over the same passages and heads as our index. */
export interface SearchPeer {
  /** The best videos by their best row. */
  search(question: PlainQuestion): string[];
  /** Size of its database. */
  bytes(): number;
  close(): void;
}

/** Opens the peer's database at `path`, built from the archive's rows when it is not there yet. */
export async function openSearchPeer(path: string, archive: MeasuredArchive): Promise<SearchPeer> {
  const isBuilt = existsSync(`${path}.built`);
  if (!isBuilt) rmSync(path, { force: true });
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -65536; pragma mmap_size = 4000000000');
  if (!isBuilt) await build(database, archive);
  if (!isBuilt) new DatabaseSync(`${path}.built`).close();
  const find = database.prepare('select video, rank as score from passages where passages match ? order by rank limit ?');
  const findHeads = database.prepare('select video, rank as score from heads where heads match ? order by rank limit ?');

  return {
    search: (question) => {
      const match = matchText(question);
      const best = new Map<string, number>();
      const passages = question.rows === 'heads' ? [] : find.all(match, rowsMax);
      const heads = question.rows === 'passages' ? [] : findHeads.all(match, rowsMax / 4);
      for (const row of [...passages, ...heads]) {
        const [video, score] = [String(row.video), Number(row.score)];
        best.set(video, Math.min(best.get(video) ?? 0, score));
      }
      return [...best]
        .sort((a, b) => a[1] - b[1])
        .slice(0, videosMax)
        .map(([video]) => video);
    },
    bytes: () => statSync(path).size,
    close: () => database.close(),
  };
}

async function build(database: DatabaseSync, archive: MeasuredArchive): Promise<void> {
  database.exec(`create virtual table passages using fts5 (text, video unindexed, tokenize = 'unicode61 remove_diacritics 0')`);
  database.exec(`create virtual table heads using fts5 (text, video unindexed, tokenize = 'unicode61 remove_diacritics 0')`);
  const addPassage = database.prepare('insert into passages (text, video) values (?, ?)');
  const addHead = database.prepare('insert into heads (text, video) values (?, ?)');
  database.exec('begin');
  for await (const { video, passages, head } of archive.rows()) {
    for (const text of passages) addPassage.run(text, video);
    addHead.run(head, video);
  }
  database.exec('commit');
  database.exec(`insert into passages (passages) values ('optimize')`);
  database.exec(`insert into heads (heads) values ('optimize')`);
}

/** The question in the words of FTS5: any of the words, phrases and beginnings, but none of the unwanted. */
function matchText({ words, prefixes, phrases, not }: PlainQuestion): string {
  const wanted = [
    ...words.map((word) => `"${word}"`),
    ...prefixes.map((prefix) => `"${prefix}"*`),
    ...phrases.map((phrase) => `"${phrase.join(' ')}"`),
  ];
  const any = wanted.length > 0 ? wanted.join(' OR ') : '""';
  return not.length > 0 ? `(${any}) NOT (${not.map((word) => `"${word}"`).join(' OR ')})` : any;
}
