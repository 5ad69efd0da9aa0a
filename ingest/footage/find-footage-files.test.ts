import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IngestConfigFault } from '../config.ts';
import { findFootageFiles, findWatchedFilms, readFilmVersion, versionOf } from './find-footage-files.ts';
import { checkWatchedFolder } from './watch-folder.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'rushes-find-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('what lies beside a film belongs to it, by its stem, also where another film has a part of that, or the same', async () => {
  const folder = join(root, 'beside');
  mkdirSync(folder);
  const names = ['a.mp4', 'a.srt', 'a.mp4.json', 'a.mov', 'a.b.mp4', 'a.b.en.vtt', 'a.bc.json', 'b.srt', 'a'];
  for (const name of names) writeFileSync(join(folder, name), name);
  const { films } = await findWatchedFilms(folder);
  expect(films.map(({ path, names: own }) => [path.slice(folder.length + 1), own])).toEqual([
    ['a.b.mp4', ['a.b.en.vtt', 'a.b.mp4']],
    ['a.mov', ['a.bc.json', 'a.mov', 'a.srt']],
    ['a.mp4', ['a.bc.json', 'a.mp4', 'a.mp4.json', 'a.srt']],
  ]);
  for (const { path, names: own } of films) expect(await readFilmVersion(path)).toBe(await versionOf(folder, own));
});

test('a film and what lies beside it belong together whichever of the two ways to write é their names have', async () => {
  const folder = join(root, 'accents');
  mkdirSync(folder);
  const names = ['café.mp4'.normalize('NFD'), 'café.en.srt', 'café.JSON'];
  for (const name of names) writeFileSync(join(folder, name), name);
  const { films } = await findWatchedFilms(folder);
  expect(films.map(({ names: own }) => own)).toEqual([names.toSorted()]);
});

test('of a folder all files of people are found, and nothing that they threw away or that a system keeps for itself', async () => {
  const folder = join(root, '.chosen');
  const trash = ['.Trash-1000/files', '#recycle', '$RECYCLE.BIN/S-1-5', '.Trashes/501', '@eaDir/x.mp4', 'a/lost+found'];
  for (const name of [...trash, 'a/b']) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'x.mp4'), name);
  }
  writeFileSync(join(folder, 'a/notes.txt'), '');
  expect(await findFootageFiles([folder])).toEqual({ files: [join(folder, 'a/b/x.mp4')], links: [], unread: [] });
});

test('what is left out of a folder is told: links to footage and to folders, and folders that cannot be read; a path that is named is a link or not', async () => {
  const folder = join(root, 'shelf');
  mkdirSync(join(folder, 'a'), { recursive: true });
  writeFileSync(join(folder, 'a/x.mp4'), 'x');
  writeFileSync(join(folder, 'notes.txt'), '');
  for (const [to, name] of Object.entries({ 'a/x.mp4': 'link.mp4', 'notes.txt': 'link.txt', a: 'again', nowhere: 'gone.mov' }))
    symlinkSync(join(folder, to), join(folder, name));
  mkdirSync(Buffer.concat([Buffer.from(`${folder}/old-`), Buffer.from([0xff])]));
  const found = await findFootageFiles([folder]);
  expect({ ...found, links: found.links.toSorted() }).toEqual({
    files: [join(folder, 'a/x.mp4')],
    links: ['again', 'gone.mov', 'link.mp4'].map((name) => join(folder, name)),
    unread: [{ path: `${folder}/old-\ufffd`, why: 'Its name is not valid UTF-8. Rename it.' }],
  });
  const named = [join(folder, 'link.mp4'), join(folder, 'again'), `${folder}/old-\ufffd`];
  expect((await findFootageFiles(named)).files).toEqual([named[0], join(folder, 'a/x.mp4'), named[2]]);
});

test('of the archive’s own folders nothing is found: one that holds them is looked through without them, what lies in them is refused', async () => {
  const [folder, media] = [join(root, 'machine'), join(root, 'machine/disk')];
  const own = join(folder, 'archive');
  for (const name of [own, media, join(folder, 'archive-of-films')]) {
    mkdirSync(name, { recursive: true });
    writeFileSync(join(name, 'x.mp4'), name);
  }
  symlinkSync(media, join(own, 'media'));
  const looked = { own: [own, media] };
  expect((await findFootageFiles([folder], looked)).files).toEqual([join(folder, 'archive-of-films/x.mp4')]);
  for (const path of [own, join(own, 'x.mp4'), join(own, 'media')])
    await expect(findFootageFiles([path], looked)).rejects.toThrow('where the archive keeps its own files');
});

test.skipIf(process.getuid?.() === 0)('a folder that may not be read keeps nothing beside it from being found', async () => {
  const folder = join(root, 'rights');
  mkdirSync(join(folder, 'closed'), { recursive: true });
  writeFileSync(join(folder, 'x.mp4'), 'x');
  chmodSync(join(folder, 'closed'), 0);
  const { files, unread } = await findFootageFiles([folder]);
  expect([files, unread]).toEqual([
    [join(folder, 'x.mp4')],
    [{ path: join(folder, 'closed'), why: 'It may not be read. Give the user who runs the import read permission.' }],
  ]);
});

test('a film costs a look the same, however many lie in its folder', async () => {
  const films = 3_000;
  const costOf = async (name: string, folders: number) => {
    for (let n = 0; n < films; n += 1) {
      const folder = join(root, name, `${n % folders}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `film-${n}.mp4`), '');
    }
    const look = async () => {
      const before = process.cpuUsage();
      expect((await findWatchedFilms(join(root, name))).films).toHaveLength(films);
      return process.cpuUsage(before).user;
    };
    return Math.min(await look(), await look(), await look());
  };
  const inMany = await costOf('many', 60);
  expect(await costOf('one', 1)).toBeLessThan(4 * inMany);
});

const data = () => join(root, 'data');

test.each([
  ['is not there', () => '/nowhere/at/all', 'there is no folder'],
  ['is a file', () => join(import.meta.dirname, 'find-footage-files.ts'), 'there is no folder'],
  ['is the data folder', () => data(), 'contain each other'],
  ['lies in the data folder', () => join(data(), 'watched'), 'contain each other'],
  ['holds the data folder', () => join(data(), '..'), 'contain each other'],
])('a folder that %s is refused in a sentence', async (_, watchedFolder, sentence) => {
  mkdirSync(join(data(), 'watched'), { recursive: true });
  const checked = checkWatchedFolder({ watchedFolder: watchedFolder(), dataFolder: data() });
  await expect(checked).rejects.toThrow(IngestConfigFault);
  await expect(checked).rejects.toThrow(sentence);
});
