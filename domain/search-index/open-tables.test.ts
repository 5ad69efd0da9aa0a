import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '#testing/until.ts';
import { addRows, connectIndex, openTable } from './index-tables.ts';
import { HeldWords } from './open-tables.ts';

test('a table is asked for the words that it holds and for phrases of them, and for everything until its words are read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rushes-held-'));
  const connection = await connectIndex(folder, 'one');
  const texts = ['harbour lights\ntitle:harbour', 'night tram'];
  const rows = texts.map((text, offset) => ({ video: '0123456789', kind: 'Head', createdMs: 0, publishedMs: 0, text, offset }));
  await addRows(connection, { name: 'heads', rows });
  const table = await openTable(connection, 'heads');
  if (!table) throw new Error('no table');
  const held = new HeldWords();
  const asked = {
    words: ['harbour', 'crane'],
    others: ['tram', 'title:harbour', 'title:tram'],
    phrases: [
      ['night', 'tram'],
      ['night', 'bus'],
    ],
    limit: 1,
  };
  expect(held.heldOf(table, asked)).toEqual(asked);
  await until(() => Promise.resolve(held.heldOf(table, asked).words.length === 1));
  expect(held.heldOf(table, asked)).toEqual({
    words: ['harbour'],
    others: ['tram', 'title:harbour'],
    phrases: [['night', 'tram']],
    limit: 1,
  });
  table.close();
  connection.close();
  rmSync(folder, { recursive: true });
});
