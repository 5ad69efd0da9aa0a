import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { readSidecarName } from '#contract/footage-names.ts';
import { limits } from '#contract/limits.ts';
import { openLocalStore } from '../files/local-store.ts';
import type { FileStore } from '../files/store.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { keepSidecars, keepTold, listKeptSidecars } from './kept-sidecars.ts';

const scratch = mkdtempSync(join(tmpdir(), 'rushes-sidecars-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const { sidecars: below } = toVideoKeys('aaaaaaaaaa');
let store: FileStore;
beforeEach(() => {
  store = openLocalStore(mkdtempSync(join(scratch, 'store-')));
});

/** Text files of these names, beside a film. */
function beside(fileName: string, texts: Readonly<Record<string, string>>) {
  return Object.entries(texts).map(([name, text]) => {
    const path = join(scratch, name);
    writeFileSync(path, text);
    const as = readSidecarName(name, fileName);
    if (!as) throw new Error(`${name} lies beside no ${fileName}`);
    return { as, path };
  });
}

async function kept(): Promise<Record<string, string>> {
  const files = await Array.fromAsync(store.list(below));
  const texts = files.map(async ({ key }) => [basename(key), String(await (await store.openRange(key))?.bytes())] as const);
  return Object.fromEntries(await Promise.all(texts));
}

const trashed = async () => (await store.trash.list('aaaaaaaaaa')).map(({ key }) => basename(key));

test('what an import or a script said of a film stays when its file comes again without a word of that', async () => {
  await keepTold(store, below, { fileName: 'reel.mp4', title: 'Harbour', externalId: 'T-7', description: undefined, labels: [] });
  await keepSidecars(store, below, { told: { fileName: 'Reel 2.mp4' }, sidecars: [] });
  expect(JSON.parse((await kept())['facts.json'] ?? '')).toEqual({ fileName: 'Reel 2.mp4', title: 'Harbour', externalId: 'T-7' });
  await keepTold(store, below, { fileName: 'reel.mp4', title: 'Quay', people: [] });
  expect(JSON.parse((await kept())['facts.json'] ?? '')).toEqual({ fileName: 'reel.mp4', title: 'Quay', externalId: 'T-7' });
});

test('words that come with a file in the place of another take the place of all words of before, which lie in the trash; a call that is made again changes nothing', async () => {
  const first = beside('reel.mp4', { 'reel.en.srt': 'old', 'reel.whisper.json': '{}', 'reel.chapters.vtt': 'old chapters' });
  await keepSidecars(store, below, { told: { fileName: 'reel.mp4' }, sidecars: first });
  const before = Object.keys(await kept()).filter((name) => !/facts|chapters/.test(name));
  const second = beside('cut.mp4', { 'cut.srt': 'new' });
  for (const _ of ['once', 'and again']) {
    await keepSidecars(store, below, { told: { fileName: 'cut.mp4' }, sidecars: second, isOtherFile: true });
    expect(Object.keys(await kept()).filter((name) => !/facts|chapters/.test(name))).toEqual(['subtitles-0.txt']);
    expect(await kept()).toMatchObject({ 'subtitles-0.txt': 'new' });
  }
  expect(before).toHaveLength(2);
  expect((await trashed()).sort()).toEqual(before.sort());
});

test('of the same film only what has the same name is another one, and lies in the trash', async () => {
  await keepSidecars(store, below, { told: { fileName: 'reel.mp4' }, sidecars: beside('reel.mp4', { 'reel.en.srt': 'old' }) });
  await keepSidecars(store, below, { told: { fileName: 'reel.mp4' }, sidecars: beside('reel.mp4', { 'reel.fr.srt': 'neuf' }) });
  await keepSidecars(store, below, { told: { fileName: 'reel.mp4' }, sidecars: beside('reel.mp4', { 'reel.en.srt': 'new' }) });
  expect(await kept()).toMatchObject({ 'subtitles-0.en.txt': 'new', 'subtitles-0.fr.txt': 'neuf' });
  expect(await trashed()).toEqual(['subtitles-0.en.txt']);
});

test('a sidecar lies in the same place whatever else comes with it, and one that is too large stays out', async () => {
  const sent = beside('reel.mp4', { 'reel.en.srt': 'words', 'reel.json': '{"title":"Harbour"}' });
  await keepSidecars(store, below, { told: { fileName: 'reel.mp4' }, sidecars: sent });
  const later = beside('reel.mp4', { 'reel.json': '{"title":"Quay"}', 'reel.fr.srt': 'x'.repeat(limits.sidecarMaxBytes + 1) });
  await keepSidecars(store, below, { told: { fileName: 'reel.mp4' }, sidecars: later });
  expect(await kept()).toEqual({
    'facts.json': '{"fileName":"reel.mp4"}',
    'subtitles-0.en.txt': 'words',
    'unread-0.txt': '{"title":"Quay"}',
  });
  expect((await listKeptSidecars(store, below)).map(({ kind, language }) => [kind, language])).toEqual([
    ['subtitles', 'en'],
    ['unread', null],
  ]);
});
