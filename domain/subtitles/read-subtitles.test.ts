import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { limits } from '#contract/limits.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { putReport } from '#testing/put-report.ts';
import { cuesToMoments, type ParsedSubtitles } from './cue.ts';
import { parseSubtitles, readSubtitles } from './read-subtitles.ts';
import { writeCaptions } from './write-captions.ts';

const corpus = readCorpus('subtitles', z.object({ id: z.string(), name: z.string(), base64: z.string(), expect: z.string() }));
let asExpected = 0;

/** What each file of the corpus has to give; a number alone means that many cues. */
const expected: Record<string, number | string[] | 'refused'> = {
  'plain.srt': ['Hello beach'],
  'latin1.srt': ['Café naïve'],
  'cp1251.srt': ['Привет'],
  'sjis.srt': ['東京'],
  'utf16le.srt': ['Beach'],
  'utf16be.srt': ['Beach'],
  'mixed-bad-utf8.srt': ['A��B�'],
  'nul.srt': ['A B'],
  'dup-index.srt': ['Hello beach', 'Hello beach'],
  'overlap.srt': ['A', 'B'],
  'unordered.srt': ['A', 'B'],
  'no-blank-line.srt': ['A', 'B'],
  'overflow.srt': 0,
  'min99.srt': 0,
  'truncated.srt': 0,
  'empty.srt': 0,
  'only-newlines.srt': 0,
  'script.srt': ['<script>window.__xss=1</script>x'],
  'entities.srt': ['&lt;b&gt; &amp;'],
  'rtl.srt': ['\u202eabc\u202c'],
  'vtt-style.vtt': ['H'],
  'ass-script.ass': ['Hi'],
  'ttml-xxe.ttml': 'refused',
  'billion.ttml': 'refused',
};

test.each(corpus)('a sidecar like $name ($id) gives: $expect', ({ name, base64 }) => {
  const bytes = Buffer.from(base64, 'base64');
  const wanted = expected[name] ?? 1;
  if (wanted === 'refused') {
    expect(() => parseSubtitles(bytes)).toThrow('document type');
    asExpected += 1;
    return;
  }
  const parsed = parseSubtitles(bytes);
  if (Array.isArray(wanted)) expect(texts(parsed)).toEqual(wanted);
  else if (name === 'bomb-cues.srt') expect(cuesToMoments(parsed.cues, { durationInSeconds: 10, source: 'sidecar' })).toHaveLength(1);
  else expect(parsed.cues).toHaveLength(wanted);
  if (parsed.cues.length === 0) expect(parsed.warnings.join()).toContain('no subtitles found');
  for (const cue of parsed.cues) expect(cue.startMs >= 0 && cue.endMs >= cue.startMs && Number.isSafeInteger(cue.endMs)).toBe(true);
  asExpected += 1;
});

test('all sidecars were read as they should be', ({ task }) => {
  const wrongVerdicts = corpus.length - asExpected;
  putReport(task, { check: 'subtitles', files: corpus.length, wrongVerdicts });
  expect(wrongVerdicts).toBe(0);
});

test.each([
  ['tags that never end', `WEBVTT\n\n00:01.000 --> 00:02.000\n${'<i '.repeat(100_000)}`],
  ['drawing codes that never end', `1\n00:00:01,000 --> 00:00:02,000\n${'{\\'.repeat(100_000)}`],
  ['lines of a script without fields', 'Dialogue:\n'.repeat(100_000)],
  ['codes of a script that never end', `Dialogue: 0,0:00:01.00,0:00:02.00,a,b,0,0,0,,${'{'.repeat(100_000)}`],
  ['paragraphs that never end', `<tt>${'<p>'.repeat(100_000)}`],
  ['marks inside a paragraph', `<tt><p begin="1s" end="2s">${'<'.repeat(100_000)}</p></tt>`],
])('a file of nothing but %s is read before the test gives up', (_, text) => {
  expect(parseSubtitles(Buffer.from(text)).cues.length).toBeLessThanOrEqual(1);
});

test('cues keep their exact times, and speakers their names', () => {
  const { cues } = parseSubtitles(
    Buffer.from('WEBVTT\n\n1\n00:01.250 --> 01:02:03.004 align:start\n<v Ann Lee><i>Tom &amp; Jerry</i></v>\n- yes\n'),
  );
  expect(cues).toEqual([{ startMs: 1_250, endMs: 3_723_004, text: 'Tom & Jerry - yes', speaker: 'Ann Lee' }]);
});

test('what two people say in one cue are two lines of theirs, and a heap of voices is one text', () => {
  const { cues } = parseSubtitles(Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\n<v Esme>It’s a blue tree!\n<v.loud Mary>No way!\n'));
  const [startMs, endMs] = [1_000, 2_000];
  expect(cues).toEqual([
    { startMs, endMs, text: 'It’s a blue tree!', speaker: 'Esme' },
    { startMs, endMs, text: 'No way!', speaker: 'Mary' },
  ]);
  const heap = parseSubtitles(Buffer.from(`WEBVTT\n\n00:01.000 --> 00:02.000\n${'<v A>a '.repeat(100_000)}`)).cues;
  expect(heap).toMatchObject([{ startMs, endMs, speaker: 'A' }]);
});

test('signs that WebVTT writes by name or number are read, once; SubRip has none', () => {
  const text = 'It&#39;s &quot;fine&quot; &#x2014; &amp;lt; a&nbsp;b&lrm;';
  const said = (head: string) => parseSubtitles(Buffer.from(`${head}\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`)).cues[0]?.text;
  expect(parseSubtitles(Buffer.from(vttCue('<00:01.500>the&#1;&#x1; <00:02.000>end'))).cues).toMatchObject([
    { text: 'the end', wordStartsMs: [1_500, 2_000] },
  ]);
  expect([said('WEBVTT'), said('1')]).toEqual(['It\'s "fine" — &lt; a b', text]);
});

test('a speaker’s tag that is never closed is read like any other text, however many blanks it has', () => {
  const blanks = ' '.repeat(200_000);
  const { cues } = parseSubtitles(Buffer.from(`WEBVTT\n\n00:01.000 --> 00:02.000\n<v${blanks}x\n`));
  expect(cues).toMatchObject([{ startMs: 1_000, endMs: 2_000 }]);
});

test('a TTML document gives its paragraphs with clock, offset and frame times', () => {
  const p = (attributes: string, text: string) => `<p ${attributes}>${text}</p>`;
  const body =
    p('begin="1.5s" dur="500ms"', 'one<br/>two') +
    p('begin="00:00:03:15" end="00:00:04.250"', '<span>Tom &amp; &#x4a;</span>') +
    p('', 'lost');
  const parsed = parseSubtitles(Buffer.from(`<tt xmlns="http://www.w3.org/ns/ttml"><body><div>${body}</div></body></tt>`));
  expect(parsed.cues).toEqual([
    { startMs: 1_500, endMs: 2_000, text: 'one two' },
    { startMs: 3_500, endMs: 4_250, text: 'Tom & J' },
  ]);
  expect(parsed.warnings).toEqual(['1 paragraphs without times ignored']);
});

test.each([
  ['frames of 29.97 a second', 'ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001"', '107892f', 3_599_996],
  ['a clock that counts frames', 'ttp:timeBase="smpte" ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001"', '01:00:00:00', 3_603_600],
  [
    'one that leaves frames out',
    'ttp:timeBase="smpte" ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001" ttp:dropMode="dropNTSC"',
    '01:00:00:00',
    3_599_996,
  ],
  ['a clock of time beside frames', 'ttp:frameRate="24" ttp:frameRateMultiplier="1000 1001"', '01:00:00:12', 3_600_501],
  ['a rate that is none', 'ttp:frameRate="25" ttp:frameRateMultiplier="0 0"', '25f', 1_000],
])('a TTML document with %s is at its time', (_, rates, begin, ms) => {
  const document = `<tt xmlns="http://www.w3.org/ns/ttml" ${rates}><body><p begin="${begin}" dur="1s">here</p></body></tt>`;
  expect(parseSubtitles(Buffer.from(document)).cues[0]?.startMs).toBe(ms);
});

test('what is left out of a file is told of, whatever its format', () => {
  const warningsOf = (text: string) => parseSubtitles(Buffer.from(text)).warnings;
  const wrongTimes = `${assLine('kept')}Dialogue: 0,-0:00:01.00,0:00:02.00,a,b,0,0,0,,lost\n`;
  expect(parseSubtitles(Buffer.from(wrongTimes)).cues).toMatchObject([{ text: 'kept' }]);
  expect(warningsOf(wrongTimes)).toEqual(['1 subtitles with unreadable times ignored']);
  const { cues, warnings } = parseSubtitles(Buffer.from(`[Script Info]\n${'Dialogue: ,0:00:01.00,0:00:02.00,,,,,,,x\n'.repeat(200_001)}`));
  expect([cues.length, warnings]).toEqual([200_000, ['more than 200,000 subtitles: the rest ignored']]);
});

test('what is said again later is a line of its own', () => {
  const cue = (startMs: number) => ({ startMs, endMs: startMs + 1_000, text: 'Action!' });
  const moments = cuesToMoments([cue(60_000), cue(61_400), cue(540_000)], { durationInSeconds: 600, source: 'sidecar' });
  expect(moments.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [60_000, 62_400],
    [540_000, 541_000],
  ]);
});

test('equal neighbours become one moment, and nothing stands past the end of the film', () => {
  const cue = (startMs: number, text: string) => ({ startMs, endMs: startMs + 1_000, text });
  const moments = cuesToMoments([cue(0, 'a'), cue(1_000, 'a'), cue(2_000, 'b'), cue(2_900, 'c'), cue(3_000, 'd')], {
    durationInSeconds: 3,
    source: 'sidecar',
  });
  expect(moments.map(({ startMs, endMs, text }) => [startMs, endMs, text])).toEqual([
    [0, 2_000, 'a'],
    [2_000, 3_000, 'b'],
    [2_900, 3_000, 'c'],
  ]);
});

test('captions read back as they were written, markup-like text, word starts and confidence included', () => {
  const cues = [
    { startMs: 3_723_004, endMs: 3_724_000, text: '<b> & </b> -->', speaker: 'Ann' },
    {
      startMs: 3_724_000,
      endMs: 3_729_000,
      text: '<00:01> & İzmir ß 😀',
      wordStartsMs: [3_724_000, 3_724_000, 3_725_001, 3_725_001, 3_729_000],
    },
    { startMs: 3_730_000, endMs: 3_731_000, text: 'late words', speaker: 'Bo', wordStartsMs: [3_730_500, 3_730_500] },
    { startMs: 3_731_000, endMs: 3_732_000, text: 'Dialogue: not of a script', speaker: 'Tom & <Jerry>', confidencePercent: 87 },
    { startMs: 3_732_000, endMs: 3_733_000, text: 'Dialogue:', confidencePercent: 0 },
    { startMs: 3_733_000, endMs: 3_734_000, text: '42' },
  ];
  expect(parseSubtitles(Buffer.from(writeCaptions(cues))).cues).toEqual(cues);
});

const vttCue = (text: string) => `WEBVTT\n\n00:01.000 --> 00:09.000\n${text}\n`;
const assLine = (text: string) => `[Script Info]\n\nDialogue: 0,0:00:01.00,0:00:09.00,a,b,0,0,0,,${text}\n`;

test.each([
  ['a stamp before each word', vttCue('<00:01.500>the <00:02.000>Eagle <00:00:03.250>has'), 'the Eagle has', [1_500, 2_000, 3_250]],
  [
    'stamps with classes, the blank behind them',
    vttCue('<v Ann>the<00:00:02.000><c.yellow> Eagle</c><00:00:03.000><c> has</c>'),
    'the Eagle has',
    [1_000, 2_000, 3_000],
  ],
  [
    'stamps within words and over lines',
    vttCue('the Ea<00:02.000>gle\n<00:03.000>&amp;<00:04.000> has'),
    'the Eagle & has',
    [1_000, 1_000, 3_000, 4_000],
  ],
  ['one stamp for several words', vttCue('the Eagle <00:05.000>has landed'), 'the Eagle has landed', [1_000, 1_000, 5_000, 5_000]],
  ['syllables of a song', assLine('{\\k50}the {\\kf100\\i1}Ea{\\ko30}gle\\N{\\K20}has'), 'the Eagle has', [1_000, 1_500, 2_800]],
])('%s gives when its words begin', (_, file, text, wordStartsMs) => {
  expect(parseSubtitles(Buffer.from(file)).cues).toMatchObject([{ startMs: 1_000, endMs: 9_000, text, wordStartsMs }]);
});

test.each([
  ['run backwards', vttCue('<00:05.000>the <00:02.000>Eagle')],
  ['stand before their cue', vttCue('<00:00.500>the <00:02.000>Eagle')],
  ['reach beyond their cue', vttCue('the <00:09.001>Eagle')],
  ['are no times', vttCue('the <1000000000>Eagle<00:99.000>')],
  ['tell no more than their cue', vttCue('<00:01.000>the Eagle')],
  ['are endless', vttCue(`the ${'<00:02.000>'.repeat(100_000)}Eagle`)],
  ['last longer than their line', assLine('{\\k999999}the {\\k10}Eagle')],
])('the words of a cue whose stamps %s are read without them', (_, file) => {
  const { cues } = parseSubtitles(Buffer.from(file));
  expect(cues).toEqual([{ startMs: 1_000, endMs: 9_000, text: 'the Eagle' }]);
});

function texts(parsed: ParsedSubtitles): string[] {
  return parsed.cues.map((cue) => cue.text);
}

test('a file that is larger than a sidecar may be is refused unread', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rushes-subtitles-'));
  const path = join(folder, 'film.srt');
  const line = '1\n00:00:01,000 --> 00:00:02,000\nHello beach\n';
  await writeFile(path, line);
  expect((await readSubtitles(path)).cues).toMatchObject([{ text: 'Hello beach' }]);
  await writeFile(path, line.padEnd(limits.sidecarMaxBytes + 1, '\n'));
  await expect(readSubtitles(path)).rejects.toThrow('it is larger than 20 MB');
  await rm(folder, { recursive: true });
});
