import { expect, test } from 'vitest';
import { filesOfChoice, filesOfDrop, formatBytes, sortFiles } from './chosen-files.ts';

const at = (path: string, size = 3) => ({
  file: new File([new Uint8Array(size)], path.split('/').at(-1) ?? ''),
  folder: path.split('/').slice(0, -1).join('/'),
});

test('what lies beside a film under its name goes with it, and with no film of another folder; alone it is sent for a film that is here already', () => {
  const { films, left } = sortFiles(
    ['a/tram.mp4', 'a/tram.en.srt', 'a/tram.json', 'b/tram.mp4', 'b/ship.srt'].map((path) => at(path)),
    {
      fileMaxBytes: 10,
    },
  );
  expect(films.map(({ file, sidecars }) => [file.name, sidecars.map(({ name }) => name)])).toEqual([
    ['tram.mp4', ['tram.en.srt', 'tram.json']],
    ['tram.mp4', []],
    ['ship.srt', []],
  ]);
  expect(left).toEqual([]);
});

test('what tells of films is sent with its film, and looked into where it has none, as XML always is', () => {
  const given = ['tram.mp4', 'tram.json', 'tram.xml', 'lind.xml', 'ship.json', 'tapes.jsonl', 'ship.whisper.json'].map((path) => at(path));
  const { films, tells } = sortFiles(given, { fileMaxBytes: 10 });
  expect(films.map(({ file, sidecars }) => [file.name, sidecars.map(({ name }) => name)])).toEqual([
    ['tram.mp4', ['tram.json']],
    ['ship.whisper.json', []],
  ]);
  expect(tells.map(({ name }) => name)).toEqual(['tram.xml', 'lind.xml', 'ship.json', 'tapes.jsonl']);
});

test('what cannot be opened keeps nothing else of a drop from coming, and is named', async () => {
  const file = new File(['a film'], 'tram.mp4');
  const entry = (name: string, open: FileSystemFileEntry['file']) => ({ name, isFile: true, isDirectory: false, file: open });
  const dropped = [entry('gone.mp4', (_found, failed) => failed?.(new DOMException('gone'))), entry('tram.mp4', (found) => found(file))];
  const items = dropped.map((one) => ({ webkitGetAsEntry: () => Object(one), getAsFile: () => null }));
  expect(await filesOfDrop(items)).toEqual({ chosen: [{ file, folder: '' }], unread: ['gone.mp4'] });
});

test('nothing comes along with a folder that was thrown away in it, or that a system keeps there for itself', async () => {
  const file = (path: string) => Object.defineProperty(new File(['a film'], 'x.mp4'), 'webkitRelativePath', { value: path });
  const kept = file('.reels/day one/x.mp4');
  const files = [kept, ...['.Trash-1000/files', '#recycle', '$RECYCLE.BIN', '.Trashes/501'].map((name) => file(`.reels/${name}/x.mp4`))];
  expect(filesOfChoice(Object(files))).toEqual([{ file: kept, folder: '.reels/day one' }]);
  const entry = (name: string, within: readonly object[]): object => ({
    name,
    isDirectory: true,
    createReader: () => {
      const answers = [within, []];
      return { readEntries: (found: (some: readonly object[]) => void) => found(answers.shift() ?? []) };
    },
  });
  const film = { name: 'x.mp4', isFile: true, file: (found: (file: File) => void) => found(kept) };
  const reels = entry('.reels', [entry('day one', [film]), entry('.Trash-1000', [entry('files', [film])]), entry('#recycle', [film])]);
  const { chosen } = await filesOfDrop([{ webkitGetAsEntry: () => Object(reels), getAsFile: () => null }]);
  expect(chosen).toEqual([{ file: kept, folder: '/.reels/day one' }]);
});

test('what cannot be sent is said with its reason, and hidden files are passed over', () => {
  const { films, left } = sortFiles([at('notes.txt'), at('none.mp4', 0), at('long.mp4', 11), at('.DS_Store')], { fileMaxBytes: 10 });
  expect(films).toEqual([]);
  expect(left.map(({ name, why }) => `${name}: ${why}`)).toEqual([
    'notes.txt: not a video, audio, subtitle, transcript or details file',
    'none.mp4: it is empty',
    'long.mp4: larger than 10 bytes',
  ]);
});

test('sizes are said in the largest unit that fits', () => {
  expect([0, 999, 1_500, 31e9, 2.14e9, 53_687_091_200].map(formatBytes)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.5 kB',
    '31 GB',
    '2.1 GB',
    '54 GB',
  ]);
});
