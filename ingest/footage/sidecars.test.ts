import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTranscript } from '#domain/existing-work/read-transcript.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { keepSidecars } from '#domain/footage/kept-sidecars.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { toldLanguageOf } from '../known-of-film.ts';
import { findSidecars, readKeptSidecars, toKeep } from './sidecars.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rushes-sidecars-'));
  writeFileSync(join(folder, 'film.mp4'), 'film');
});
afterEach(() => rmSync(folder, { recursive: true }));

const find = () => findSidecars(join(folder, 'film.mp4'));

test('what lies beside a film under its name belongs to it', async () => {
  writeFileSync(join(folder, 'film.json'), '{"title":"Harbour"}');
  for (const name of ['film.srt', 'film.pt-BR.vtt', 'film two.srt', 'film.txt']) writeFileSync(join(folder, name), '');
  const { facts, subtitles, remarks } = await find();
  expect(facts.title).toBe('Harbour');
  expect(subtitles.map(({ path, language }) => [basename(path), language])).toEqual([
    ['film.pt-BR.vtt', 'pt-BR'],
    ['film.srt', null],
  ]);
  expect(remarks).toEqual([]);
});

test.each([
  ['every text names', ['film.es.srt', 'film.spa.vtt'], '{}', 'es'],
  ['is told by the facts', ['film.de.srt', 'film.en.srt'], '{"language":"en"}', 'en'],
  ['is not the one whose translation sorts first', ['film.de.srt', 'film.en.srt'], '{}', undefined],
])('the language of a film %s', async (_, names, facts, language) => {
  writeFileSync(join(folder, 'film.json'), facts);
  for (const name of names) writeFileSync(join(folder, name), '');
  expect(toldLanguageOf(await find())).toBe(language);
});

test('an OHMS export beside a film tells facts and speech, from a folder and from a browser alike, and XML of a camera nothing', async () => {
  const point = '<point><time>5</time><title>The storm</title></point>';
  const cues = '<vtt_transcript>WEBVTT\n\n00:02.000 --> 00:04.000\nIn Norvik.\n</vtt_transcript>';
  const told = `<ROOT><record id="7"><title>Interview</title><interviewee>Mara Lind</interviewee><index>${point}</index>${cues}</record></ROOT>`;
  writeFileSync(join(folder, 'film.xml'), told);
  const beside = await find();
  const facts = { title: 'Interview', people: ['Mara Lind'], labels: [{ name: 'The storm', at: [{ start: 5, end: 65 }] }] };
  expect(beside).toMatchObject({ facts, transcripts: [{ language: null }], remarks: [] });
  expect((await readTranscript(join(folder, 'film.xml'))).cues).toMatchObject([{ startMs: 2_000, endMs: 4_000, text: 'In Norvik.' }]);
  const store = openLocalStore(join(folder, 'data'));
  const { sidecars } = toVideoKeys('0123456789');
  await store.put(`${sidecars}/unread-0.txt`, Buffer.from(told));
  const kept = await readKeptSidecars(store, sidecars);
  expect([kept.facts.title, kept.facts.people, kept.transcripts.length]).toEqual(['Interview', ['Mara Lind'], 1]);
  writeFileSync(join(folder, 'film.xml'), '<NonRealTimeMeta><Device manufacturer="Sony"/></NonRealTimeMeta>');
  expect(await find()).toMatchObject({ transcripts: [], remarks: [] });
  writeFileSync(join(folder, 'film.xml'), `<!DOCTYPE x [<!ENTITY a "b">]>${told}`);
  expect((await find()).remarks).toEqual(['details file not used (it declares a document type, which is not allowed)']);
});

test('chapters beside a film are labels for as long as they are, from a folder and from a browser alike', async () => {
  const chapters = 'WEBVTT\n\n00:00.000 --> 01:30.000\nThe harbour\n\n01:30.000 --> 02:00.500\nThe storm\n';
  const labels = [
    { name: 'The harbour', at: [{ start: 0, end: 90 }] },
    { name: 'The storm', at: [{ start: 90, end: 120.5 }] },
  ];
  writeFileSync(join(folder, 'film.chapters.vtt'), chapters);
  expect(await find()).toMatchObject({ facts: { labels }, subtitles: [], remarks: [] });
  const store = openLocalStore(join(folder, 'data'));
  await store.put(`${toVideoKeys('0123456789').sidecars}/chapters-0.txt`, Buffer.from(chapters));
  expect((await readKeptSidecars(store, toVideoKeys('0123456789').sidecars)).facts.labels).toEqual(labels);
  writeFileSync(join(folder, 'film.chapters.vtt'), '<!DOCTYPE tt [<!ENTITY a "b">]><tt>');
  expect(await find()).toMatchObject({ facts: { labels: [] }, remarks: ['chapters not used (none found)'] });
});

test('an Index of Video Indexer beside a film tells facts and speech at once', async () => {
  const insights = { language: 'nl', transcript: [], labels: [{ name: 'crane', instances: [{ start: '0:00:01', end: '0:00:02' }] }] };
  writeFileSync(join(folder, 'film.json'), JSON.stringify({ name: 'Harbour', videos: [{ id: '8c2a1f00de', insights }] }));
  const sidecars = await find();
  expect(sidecars.facts).toMatchObject({ videoId: '8c2a1f00de', externalId: '8c2a1f00de', title: 'Harbour', language: 'nl' });
  expect(sidecars.transcripts.map(({ language }) => language)).toEqual(['nl']);
  const store = openLocalStore(join(folder, 'data'));
  await store.put(`${toVideoKeys('0123456789').sidecars}/unread-0.txt`, { copyOf: join(folder, 'film.json') });
  const kept = await readKeptSidecars(store, toVideoKeys('0123456789').sidecars);
  expect([kept.facts.title, kept.facts.labels, kept.transcripts.length]).toEqual(['Harbour', sidecars.facts.labels, 1]);
});

test.each([
  ['a link to a file elsewhere', (path: string) => symlinkSync('/etc/hostname', path)],
  ['a link to nothing', (path: string) => symlinkSync('/nowhere/at/all', path)],
  ['a pipe that nobody writes to', (path: string) => execFileSync('mkfifo', [path])],
  ['a folder', (path: string) => mkdirSync(path)],
])('%s beside a film is left alone, and said', async (_, make) => {
  for (const name of ['film.json', 'film.en.srt']) make(join(folder, name));
  expect(await find()).toEqual({
    facts: { people: [], labels: [], brands: [] },
    subtitles: [],
    transcripts: [],
    remarks: ['a link or special file beside it was ignored'],
  });
});

const whisper = JSON.stringify({ language: 'nl', segments: [] });
const whisperCpp = JSON.stringify({ result: { language: 'nl' }, transcription: [] });

test.each([
  ['film.json', whisper, 'nl'],
  ['film.json', '{"b":0.5,"d":1,"p":1,"t":"go"}\n{"b":2,"d":1,"p":1,"t":"on"}\n', null],
  ['film.mp4.json', whisperCpp, 'nl'],
  ['film.wav.json', whisperCpp, 'nl'],
  ['film.whisper.json', `\ufeff${whisper}`, 'nl'],
  ['film.pt-BR.json', whisper, 'pt-BR'],
  ['film.whisper.json', '{"language":"../../nl","segments":[]}', null],
  ['film.whisper.json', `{"language":"en${'-us'.repeat(100)}","segments":[]}`, null],
  ['film.sphinx.json', '{"b":0.5,"d":1,"p":1,"t":"go"}', null],
  ['film.sphinx.txt', 'go on\ngo 0.500 0.700 0.9\non 0.710 0.900 0.9\n', null],
  ['film.whisper.json', 'no transcript: the step that reads it says so', null],
])('%s that holds %s is a transcript', async (name, text, language) => {
  writeFileSync(join(folder, name), text);
  const { facts, transcripts, remarks } = await find();
  expect(facts).toEqual({ people: [], labels: [], brands: [] });
  expect(transcripts).toEqual([{ path: join(folder, name), language }]);
  expect(remarks).toEqual([]);
});

test.each(['film.mkv.json', 'film.info.json', 'film two.json', 'film.txt', 'film.en.sphinx.txt'])('%s is not of the film', async (name) => {
  writeFileSync(join(folder, name), whisper);
  expect((await find()).transcripts).toEqual([]);
});

test.each([
  ['film.json', '{"segments":', 'details file not used ('],
  ['film.json', `{"title":"${'x'.repeat(20 * 1024 * 1024)}"}`, 'facts or transcript not used (larger than 20 MB)'],
  ['film.en.json', `{"text":"${'x'.repeat(20 * 1024 * 1024)}"}`, 'transcript not used (larger than 20 MB)'],
])('%s that cannot be used is left out, and said', async (name, text, remark) => {
  writeFileSync(join(folder, name), text);
  const { facts, transcripts, remarks } = await find();
  expect([facts, transcripts]).toEqual([{ people: [], labels: [], brands: [] }, []]);
  expect(remarks).toEqual([expect.stringContaining(remark)]);
});

test('facts, subtitles and transcripts lie beside one film, and what is kept with it is the same', async () => {
  writeFileSync(join(folder, 'film.json'), '{"title":"Harbour"}');
  for (const name of ['film.mp4.json', 'film.whisper.json', 'film.de.json']) writeFileSync(join(folder, name), whisper);
  for (const name of ['film.srt', 'film.en.vtt']) writeFileSync(join(folder, name), name);
  const store = openLocalStore(join(folder, 'data'));
  const below = toVideoKeys('0123456789').sidecars;
  await keepSidecars(store, below, toKeep(await find(), 'Film.mov'));
  const { facts, subtitles, transcripts, fileName } = await readKeptSidecars(store, below);
  const texts = (kept: typeof subtitles) =>
    Promise.all(kept.map(async ({ key, language }) => [String(await storedBytes(store, key)), language]));
  expect([facts.title, fileName]).toEqual(['Harbour', 'Film.mov']);
  expect(await texts(subtitles)).toEqual([
    ['film.en.vtt', 'en'],
    ['film.srt', null],
  ]);
  expect(await texts(transcripts)).toEqual([
    [whisper, 'de'],
    [whisper, 'nl'],
    [whisper, 'nl'],
  ]);
});

test.each([
  ['facts', '{"title":"Harbour"}', { title: 'Harbour', transcripts: 0 }],
  ['a transcript', whisper, { title: undefined, transcripts: 1 }],
])('what a browser sent as name.json is read as what it is: %s', async (_, text, found) => {
  const store = openLocalStore(folder);
  const { sidecars } = toVideoKeys('0123456789');
  await store.put(`${sidecars}/facts.json`, Buffer.from('{"fileName":"film.mp4"}'));
  await store.put(`${sidecars}/unread-0.txt`, Buffer.from(text));
  const { facts, transcripts, fileName } = await readKeptSidecars(store, sidecars);
  expect({ title: facts.title, transcripts: transcripts.length, fileName }).toEqual({ ...found, fileName: 'film.mp4' });
});
