import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { parseRecognisedSpeech, parseTranscript, readTranscript } from './read-transcript.ts';

const whisper = (...segments: unknown[]) => JSON.stringify({ text: 'all', language: 'en', segments });
const whisperCpp = (...transcription: unknown[]) => JSON.stringify({ result: { language: 'en' }, transcription });
const token = (text: string, from: number, p = 0.9) => ({ text, offsets: { from, to: from + 100 }, id: 1, p, t_dtw: -1 });
const line = { start: 1, end: 9, text: ' the Eagle has' };
const lineCpp = { timestamps: {}, offsets: { from: 1_000, to: 9_000 }, text: ' the Eagle has' };
const words = (...starts: unknown[]) => ['the', 'Eagle', 'has'].map((word, n) => ({ word: ` ${word}`, start: starts[n], end: 9 }));

test.each([
  [
    'openai-whisper',
    whisper({
      ...line,
      id: 0,
      seek: 0,
      tokens: [1],
      avg_logprob: -3,
      words: words(1, 2, 3.25).map((word) => ({ ...word, probability: 0.5 })),
    }),
    { wordStartsMs: [1_000, 2_000, 3_250], confidencePercent: 50 },
  ],
  ['a Whisper without words', whisper({ ...line, avg_logprob: -0.1, words: null }), { wordStartsMs: undefined, confidencePercent: 90 }],
  [
    'WhisperX, which does not know when some words begin',
    whisper({
      start: 1,
      end: 9,
      text: '20 the Eagle 7 has',
      speaker: 'SPEAKER_01',
      words: [
        { word: '20' },
        { word: 'the', start: 2, end: 3, score: 0.6 },
        { word: 'Eagle', start: 3, end: 4 },
        { word: '7' },
        { word: 'has', start: 5 },
      ],
    }),
    { text: '20 the Eagle 7 has', wordStartsMs: [1_000, 2_000, 3_000, 3_000, 5_000], speaker: 'SPEAKER_01', confidencePercent: 60 },
  ],
  [
    'words called text',
    whisper({ ...line, words: words(1, 2, 3).map(({ word, start }) => ({ text: word.trim(), start })) }),
    { wordStartsMs: [1_000, 2_000, 3_000] },
  ],
  ['words a little out of step', whisper({ ...line, words: words(0.7, 2, 1.9) }), { wordStartsMs: [1_000, 2_000, 2_000] }],
  ['whisper.cpp without tokens', whisperCpp(lineCpp), { wordStartsMs: undefined, confidencePercent: undefined }],
  [
    'whisper.cpp with tokens',
    whisperCpp({
      ...lineCpp,
      tokens: [
        token('[_BEG_]', 0),
        token(' the', 1_000, 1),
        token(' Ea', 2_000, 0.9),
        token('gle', 2_500, 0.6),
        token(' has', 3_000, 0.8),
        token('[_TT_150]', 9_900),
        token('<|endoftext|>', 99_000),
      ],
    }),
    { wordStartsMs: [1_000, 2_000, 3_000], confidencePercent: 80 },
  ],
  [
    'whisper.cpp that ends tokens within a letter',
    whisperCpp({
      ...lineCpp,
      text: ' да, Ёж',
      tokens: [token(' да', 1_000), token(',', 1_200), token(' \ufffd', 2_000), token('\ufffdж', 2_500)],
    }),
    { text: 'да, Ёж', wordStartsMs: [1_000, 2_000], confidencePercent: 90 },
  ],
  [
    'pocketsphinx 5',
    '{"b":1.000,"d":8.000,"p":0.700,"t":"the Eagle has","w":[{"b":1.0,"d":0.1,"p":1,"t":"<s>"},{"b":1.1,"d":0.4,"p":0.5,"t":"the(2)"},{"b":1.5,"d":0.1,"p":0.1,"t":"<sil>"},{"b":1.7,"d":0.1,"p":0.1,"t":"[NOISE]"},{"b":2.0,"d":0.5,"p":0.7,"t":"Eagle"},{"b":2.5,"d":0.1,"p":0.1,"t":"++UH++"},{"b":3.25,"d":0.5,"p":0.6,"t":"has"},{"b":8.9,"d":0.1,"p":1,"t":"</s>"}]}\n',
    { wordStartsMs: [1_100, 2_000, 3_250], confidencePercent: 60 },
  ],
  ['pocketsphinx 5 without words', '{"b":1,"d":8,"p":0.7,"t":"the Eagle has"}\r\n', { wordStartsMs: undefined, confidencePercent: 70 }],
  [
    'pocketsphinx before that',
    'INFO: ready\nthe Eagle has\n<s> 0.000 0.990 0.999\nthe 1.000 1.500 0.500000\n<sil> 1.510 1.900 0.9\nEagle(2) 2.000 2.400 0.700000\nhas 3.250 9.000 nan\n</s> 9.010 9.500 1.0\n',
    { wordStartsMs: [1_000, 2_000, 3_250], confidencePercent: 60 },
  ],
])('%s is read with its lines and when their words begin', (_, text, expected) => {
  const { cues, warnings } = parseTranscript(text);
  expect(cues).toEqual([{ startMs: 1_000, endMs: 9_000, text: 'the Eagle has', ...expected }]);
  expect(warnings).toEqual([]);
});

test('every utterance of pocketsphinx is a line of its own, and silence is none', () => {
  const times =
    'go on\n<s> 0.000 0.990 0.9\ngo 1.000 1.200 1.0\non 1.210 1.500 1.0\n</s> 1.510 1.600 1.0\n\n<s> 1.7 2.0 1.0\n</s> 2.0 2.1 1.0\nstop\nstop 3.000 3.500 1.0\n';
  const json = '{"b":1,"d":0.5,"p":1,"t":"go on"}\n\n{"b":2,"d":1,"p":1,"t":"","w":[]}\n{"b":3,"d":0.5,"p":1,"t":"stop"}\n';
  for (const text of [times, json])
    expect(parseTranscript(text).cues.map((cue) => [cue.startMs, cue.endMs, cue.text])).toEqual([
      [1_000, 1_500, 'go on'],
      [3_000, 3_500, 'stop'],
    ]);
});

test.each([
  ['run backwards', words(1, 5, 2)],
  ['begin long before it', words(0.2, 2, 3)],
  ['begin long after it', words(1, 2, 900)],
  ['are other words', words(1, 2, 3).map((word) => ({ ...word, word: ' no' }))],
  ['are too few', words(1, 2, 3).slice(0, 2)],
  ['have no text', [{ start: 1 }, { start: 2 }, { start: 3 }]],
  ['are no words', ['the', 'Eagle', 'has']],
  ['are not even a list', { the: 1 }],
  ['have times that are none', words('1', null, -3)],
  ['tell no more than their line', words(1, 1, 1)],
])('a line whose words %s keeps its own time', (_, broken) => {
  const { cues, warnings } = parseTranscript(whisper({ ...line, words: broken }));
  expect(cues).toEqual([{ startMs: 1_000, endMs: 9_000, text: 'the Eagle has' }]);
  expect(warnings).toEqual([]);
});

test.each([
  ['en', 'en'],
  ['pt-BR', 'pt-BR'],
  ['English', 'en'],
  ['german', 'de'],
  ['hebrew', 'he'],
  ['indonesian', 'id'],
  ['lao', 'lo'],
  ['no such language', undefined],
  [7, undefined],
])('the language %j of a transcript is %s', (language, tag) => {
  expect(parseRecognisedSpeech(JSON.stringify({ language, segments: [] }))?.language).toBe(tag);
  expect(parseRecognisedSpeech(JSON.stringify({ result: { language }, transcription: [] }))?.language).toBe(tag);
});

test('lines without text or with impossible times are left out and counted; the others stay, in order of time and without controls', () => {
  const broken = [{}, null, 7, [], { ...line, start: -1 }, { ...line, start: '1' }, { ...line, end: 1e9 }, { ...line, text: null }];
  const sound = [
    { start: 5, end: 4, text: 'later\u0000\u001b[31m\u2028 \ud800' },
    { start: 2, end: 3, text: 'sooner', speaker: '\u0007' },
    { start: 2, end: 3, text: ' \u0000 ' },
  ];
  const endless = whisper(...broken, ...sound).replace('"end":9', '"end":1e999');
  const { cues, warnings } = parseTranscript(endless);
  expect(cues).toEqual([
    { startMs: 2_000, endMs: 3_000, text: 'sooner' },
    { startMs: 5_000, endMs: 5_000, text: 'later [31m \ufffd' },
  ]);
  expect(warnings).toEqual([`${broken.length} lines without text or with unreadable times ignored`]);
});

test.each([
  ['empty', ''],
  ['facts', '{"title":"Harbour"}'],
  ['JSON that breaks off', '{"segments":[{"start":1'],
  ['JSON with what is no number', '{"segments":[{"start":NaN}]}'],
  ['segments that are no list', '{"segments":{}}'],
  ['nested without end', '['.repeat(1_000_000)],
  ['nested deeply', `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
  ['a subtitle file', '1\n00:00:01,000 --> 00:00:02,000\nHello\n'],
  ['silence', '<s> 0.000 1.000 1.0\n</s> 1.000 2.000 1.0\n'],
  ['one word without an end', 'a'.repeat(1_000_000)],
])('a file that is %s is refused as no transcript', (_, text) => {
  expect(() => parseTranscript(text)).toThrow('unknown format (supported: Whisper, whisper.cpp, pocketsphinx, Video Indexer)');
});

test('words of an old pocketsphinx that counts each utterance from its own start are refused', () => {
  const utterance = 'go on\ngo 0.500 1.200 1.0\non 1.210 2.500 1.0\n';
  expect(() => parseTranscript(utterance + utterance)).toThrow('its times begin anew with an utterance');
});

test.each([
  ['lines nested deeply', whisper({ ...line, words: 0 }).replace('"words":0', `"words":${'['.repeat(200_000)}${']'.repeat(200_000)}`), 1],
  ['100,000 lines', whisper(...Array.from({ length: 100_000 }, (_, n) => ({ start: n, end: n + 1, text: `line ${n}` }))), 100_000],
  [
    '100,000 words in a line',
    whisper({ ...line, text: 'a '.repeat(100_000), words: Array.from({ length: 100_000 }, () => ({ word: ' a', start: 2 })) }),
    1,
  ],
  [
    'tokens that never begin a word',
    whisperCpp({ ...lineCpp, text: 'a'.repeat(100_000), tokens: Array.from({ length: 100_000 }, () => token('a', 2_000)) }),
    1,
  ],
  ['more lines than are taken', `{"b":1,"d":1,"t":"a"}\n${'{}\n'.repeat(1_000_000)}`, 1],
])('a transcript of %s is read before the test gives up', (_, text, lines) => {
  expect(parseTranscript(text).cues).toHaveLength(lines);
});

test('a file is read as its mark says, and one larger than a sidecar may be is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rushes-transcript-'));
  const path = join(folder, 'film.sphinx.txt');
  await writeFile(path, Buffer.from('\ufeffgo 1.000 1.200 1.0\r\non 1.500 1.600 1.0\r\n', 'utf16le'));
  expect((await readTranscript(path)).cues).toMatchObject([{ text: 'go on', wordStartsMs: [1_000, 1_500] }]);
  await writeFile(path, Buffer.alloc(limits.sidecarMaxBytes + 1));
  await expect(readTranscript(path)).rejects.toThrow('it is larger than 20 MB');
  await rm(folder, { recursive: true });
});
