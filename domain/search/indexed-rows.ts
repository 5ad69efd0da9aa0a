import type { Table } from '@lancedb/lancedb';
import type { IndexRow } from './index-row.ts';

/** All rows of a table, a few thousand at a time, in no order that means anything. */
export async function* indexedRows(table: Table): AsyncGenerator<IndexRow[]> {
  for await (const found of table.query().select(['video', 'kind', 'createdMs', 'publishedMs', 'text'])) {
    const [video, kind, createdMs, publishedMs, text] = ['video', 'kind', 'createdMs', 'publishedMs', 'text'].map((name) =>
      found.getChild(name),
    );
    yield Array.from({ length: found.numRows }, (_, n) => ({
      video: String(video?.get(n)),
      kind: String(kind?.get(n)),
      createdMs: Number(createdMs?.get(n)),
      publishedMs: Number(publishedMs?.get(n)),
      text: String(text?.get(n)),
    }));
  }
}
