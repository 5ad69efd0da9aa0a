import { expect, test } from 'vitest';
import { changesOf, guessUses, readTable, rowsAs } from './details-table.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('a table is read as spreadsheets write it: quoted cells, semicolons or tabs, a mark in front, Latin letters of old', () => {
  const quoted = readTable(bytes('\ufeffIdentifier,Title\r\nT-1,"Harbour, ""six"""\r\n\r\nT-2,"two\nlines"\r\n'));
  expect(quoted).toMatchObject({
    columns: ['Identifier', 'Title'],
    rows: [
      { line: 2, cells: ['T-1', 'Harbour, "six"'] },
      { line: 4, cells: ['T-2', 'two\nlines'] },
    ],
    remarks: [],
  });
  expect(readTable(bytes('tape;place\nT-1;Norvik\n')).rows).toEqual([{ line: 2, cells: ['T-1', 'Norvik'] }]);
  expect(readTable(bytes('tape\tplace\nT-1\tNorvik\n')).columns).toEqual(['tape', 'place']);
  expect(readTable(new Uint8Array([...bytes('tape,place\nT-1,Troms'), 0xf8])).rows[0]?.cells[1]).toBe('Tromsø');
  const utf16 = new Uint8Array([
    0xff,
    0xfe,
    ...[...'tape,place\nT-1,Ås'].flatMap((letter) => [letter.charCodeAt(0) & 0xff, letter.charCodeAt(0) >> 8]),
  ]);
  expect(readTable(utf16).rows[0]?.cells).toEqual(['T-1', 'Ås']);
});

test('what cannot be read is told by its row', () => {
  const { rows, remarks } = readTable(bytes('tape,place\nT-1,Norvik,more\nT-2,"open\n'));
  expect(rows).toHaveLength(2);
  expect(remarks).toEqual([expect.stringMatching(/^Row 3: /), 'Row 2 has more cells than there are columns; the extra cells are ignored.']);
});

test('columns are taken for what they are called, each thing once, and the title tells the film where nothing else does', () => {
  expect(guessUses(['External ID', 'Title', 'Date recorded', 'LOCATION', 'Notes', 'Year'])).toEqual([
    { is: 'mark', by: 'externalId' },
    { is: 'fact', fact: 'title' },
    { is: 'fact', fact: 'recordedAt' },
    { is: 'fact', fact: 'place' },
    null,
    null,
  ]);
  expect(guessUses(['name', 'rights'])).toEqual([
    { is: 'mark', by: 'title' },
    { is: 'fact', fact: 'rights' },
  ]);
});

test('an empty cell says nothing, and without a column that tells the film there is nothing to say', () => {
  const table = readTable(bytes('tape,place,title\nT-1,,Harbour\n,Norvik,\n'));
  expect(rowsAs(table, guessUses(table.columns))).toEqual({
    by: 'externalId',
    rows: [
      { mark: 'T-1', says: { title: 'Harbour' } },
      { mark: '', says: { place: 'Norvik' } },
    ],
  });
  expect(rowsAs(table, [null, null, null])).toBeNull();
});

test('of two rows that say different things of one film the first counts, and the second is told of; the same twice is once', () => {
  const video = { id: 'a', name: 'Harbour' };
  const place = (says: string) => [{ fact: 'place' as const, replaces: '', says }];
  const rows = ['Norvik', 'Tromsø', 'Norvik'].map((says, n) => ({ line: n + 2, video, changes: place(says), problems: [] }));
  expect(changesOf(rows)).toEqual({
    changes: [{ ...video, fact: 'place', replaces: '', says: 'Norvik' }],
    doubled: ['Row 3: row 2 says something else of this video (Place).'],
  });
});

test('a cell that is far too long is cut, so that its row alone is refused', () => {
  const table = { columns: ['tape', 'abstract'], rows: [{ line: 2, cells: ['T-7', 'x'.repeat(90_000)] }], remarks: [] };
  const asked = rowsAs(table, [
    { is: 'mark', by: 'externalId' },
    { is: 'fact', fact: 'description' },
  ]);
  expect(asked?.rows[0]?.says.description).toHaveLength(20_000);
});
