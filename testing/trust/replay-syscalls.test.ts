import { expect, test } from 'vitest';
import { unsyncedFiles } from './replay-syscalls.ts';

const options = { root: '/data', files: ['/data/media/a/film'], acknowledges: /state = 'done'/ };
const told = `7 writev(9<socket:[1]>, [{iov_base="set state = 'done'"}], 1) = 20`;
const order = {
  write: '5 write(3</data/work/film>, "x", 1) = 1',
  sync: '6 fsync(3</data/media/a/.new>) = 0',
  draft: '5 rename("/data/work/film", "/data/media/a/.new") = 0',
  place: '5 rename("/data/media/a/.new", "/data/media/a/film") = 0',
  folder: '8 fsync(4</data/media/a>) = 0',
  above: '8 fsync(4</data/media>) = 0',
  top: '8 fsync(4</data>) = 0',
};
const { write, draft, sync, place, folder, above, top } = order;

test.each([
  ['in its right order', [write, draft, sync, place, folder, above, top, told], []],
  ['with its bytes never synced', [write, draft, place, folder, above, top, told], options.files],
  [
    'written to after its sync',
    [draft, sync, '5 write(3</data/media/a/.new>, "y", 1) = 1', place, folder, above, top, told],
    options.files,
  ],
  ['with its name never synced', [write, draft, sync, place, above, top, told], options.files],
  ['with its name synced before it had it', [write, draft, sync, folder, place, above, top, told], options.files],
  ['in a folder whose own name is not safe', [write, draft, sync, place, folder, told], options.files],
  ['told of too early', [write, draft, sync, place, told, folder, above, top], options.files],
  ['never told of', [write, draft, sync, place, folder, above, top], options.files],
  [
    'with a sync that failed',
    [write, draft, '6 fsync(3</data/media/a/.new>) = -1 EIO (Input/output error)', place, folder, above, top, told],
    options.files,
  ],
])('a file %s', (_, calls, unsynced) => {
  expect(unsyncedFiles(calls.join('\n'), options)).toEqual(unsynced);
});

test('a call that others interrupt counts when it ends', () => {
  const [begun, ended] = ['8 fsync(4</data/media/a> <unfinished ...>', '8 <... fsync resumed>) = 0'];
  expect(unsyncedFiles([write, draft, sync, place, begun, above, top, ended, told].join('\n'), options)).toEqual([]);
  expect(unsyncedFiles([write, draft, sync, place, begun, above, top, told, ended].join('\n'), options)).toEqual(options.files);
});
