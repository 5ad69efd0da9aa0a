import { expect, test } from 'vitest';
import { readFactsFile } from '../footage/footage-facts.ts';
import { CatalogueRecord, momentsOfRecord } from '../videos/catalogue-record.ts';
import { readExistingWork } from './existing-work.ts';

const at = (start: string, end: string) => ({ adjustedStart: start, adjustedEnd: end, start, end });
/** In the shape that "Get Video Index" answers in, with what it may hold that cannot be used. */
const index = {
  partition: null,
  name: 'Harbour at six',
  description: 'For mail@archive.example only',
  userName: 'Ines Caldeira',
  durationInSeconds: 42,
  summarizedInsights: {},
  videos: [
    {
      id: '8c2a1f00de',
      externalId: 'TAPE-7',
      language: 'en-US',
      insights: {
        sourceLanguage: 'auto',
        language: 'en-US',
        transcript: [
          { id: 1, text: 'Good morning, harbour.', confidence: 0.83, speakerId: 1, instances: [at('0:00:01.5', '0:00:03.25')] },
          { id: 2, text: 'The lamps go out.', confidence: 'high', speakerId: 2, instances: [at('0:00:04', '0:00:06.1234567')] },
          { id: 3, text: 'No times.', instances: [] },
          { id: 4, instances: [at('0:00:09', '0:00:10')] },
        ],
        ocr: [{ id: 1, text: 'PILOT 7', confidence: 0.9, instances: [at('0:00:05', '0:00:06'), at('0:00:20', '0:00:21')] }],
        faces: [
          { id: 1, name: 'Amara Osei', instances: [at('1:00:00:11', '0:00:12'), at('0:00:11', '0:00:14.5')] },
          { id: 2, name: 'Unknown #1', instances: [at('0:00:02', '0:00:03')] },
        ],
        labels: [{ id: 1, name: 'crane', instances: [{ confidence: 0.7, ...at('0:00:00', '0:00:30') }] }],
        brands: [{ id: 1, name: 'Orion Line', referenceType: 'Wiki', instances: [at('0:00:07', '0:00:08')] }],
        speakers: [
          { id: 1, name: 'Tomas Reidar', instances: [] },
          { id: 2, name: 'Speaker #2', instances: [] },
        ],
      },
    },
  ],
};

test('an Index of Video Indexer keeps its ids, its times and how sure it was, and tells what could not be read, a line each', () => {
  const { record, remarks } = read('harbour.json', JSON.stringify(index));
  const { videoId, externalId, title, owner, description, language, durationSeconds } = record;
  expect({ videoId, externalId, title, owner, description, language, durationSeconds }).toEqual({
    videoId: '8c2a1f00de',
    externalId: 'TAPE-7',
    title: 'Harbour at six',
    owner: 'Ines Caldeira',
    language: 'en-US',
    durationSeconds: 42,
    description: null,
  });
  expect(momentsOf(record)).toEqual([
    ['Transcript', 1_500, 3_250, 'Good morning, harbour.', 83, 'Tomas Reidar'],
    ['Transcript', 4_000, 6_123, 'The lamps go out.', 100, undefined],
    ['Ocr', 5_000, 6_000, 'PILOT 7', 90, undefined],
    ['Ocr', 20_000, 21_000, 'PILOT 7', 90, undefined],
    ['Face', 11_000, 14_500, 'Amara Osei', 100, undefined],
    ['Brand', 7_000, 8_000, 'Orion Line', 100, undefined],
    ['Annotations', 0, 30_000, 'crane', 100, undefined],
  ]);
  expect(remarks).toEqual([
    'transcript 3 ignored: it has no text or no readable times',
    'transcript 4 ignored: it has no text or no readable times',
    'removed what looked like an e-mail address from description',
  ]);
});

const ohms = (transcript: string) => `<?xml version="1.0" encoding="UTF-8"?>
<ROOT xmlns="https://www.weareavp.com/nunncenter/ohms"><record id="00063" dt="2013-05-06"><version>5.4</version>
<date value="2013-05-06" format="yyyy-mm-dd"/><title>Interview with Mara &amp; Jon</title><accession>2013oh001</accession>
<duration>0:04:00</duration><interviewee>Mara Lind</interviewee><interviewer>Jon Ness</interviewer><description>On keeping a light.</description>
<rights>CC BY</rights><usage>Ask first.</usage>
<index><point><time>90</time><title>The &lt;i&gt;Aurora&lt;/i&gt; storm</title><synopsis>…</synopsis><keywords>fog; lamps</keywords><subjects>lamps</subjects></point>
<point><time>when</time><title>Lost</title></point><point><time>0</time><title>Childhood</title></point></index>${transcript}</record></ROOT>`;

test('an id that no film here can have is told of, by an Index, a record and the facts beside a film', () => {
  const [first, ...rest] = index.videos;
  const newer = { ...index, videos: [{ ...first, id: '3jq0p0vhsl' }, ...rest] };
  const { record, remarks } = readExistingWork('newer.json', Buffer.from(JSON.stringify(newer)));
  expect(CatalogueRecord.parse(record).videoId).toBeUndefined();
  const notKept = 'id 3jq0p0vhsl not kept: ids here are ten characters of 0-9 and a-f, so links with it will not work';
  expect(remarks).toContain(notKept);
  const plain = Buffer.from(JSON.stringify({ id: 'r1', title: 'A record', videoId: '3jq0p0vhsl' }));
  expect(readExistingWork('record.json', plain).remarks).toEqual([notKept]);
  const { facts, remarks: ofFacts } = readFactsFile(JSON.stringify({ videoId: '3jq0p0vhsl', title: 'Harbour' }));
  expect([facts.videoId, facts.title, ofFacts]).toEqual([undefined, 'Harbour', [notKept]]);
  expect(readFactsFile(JSON.stringify({ videoId: '8c2a1f00de' })).remarks).toEqual([]);
});

test('an OHMS export gives people, points as labels until the next, and lines at times between the minutes that sync tells', () => {
  const sync =
    '<sync>1:|3(2)|5(1)</sync><transcript>NESS: Where were you born?\nLIND: In Norvik.[[footnote]]1[[/footnote]]\n\nBy the light.\nIt rained.\nAlways.</transcript>';
  const { record, remarks } = read('lind.xml', ohms(sync));
  expect(record).toMatchObject({
    externalId: '2013oh001',
    title: 'Interview with Mara & Jon',
    recordedAt: '2013-05-06',
    rights: 'CC BY Ask first.',
    description: 'On keeping a light.',
    people: ['Mara Lind', 'Jon Ness'],
  });
  expect(momentsOf(record).map(([kind, start, end, text]) => [kind, start, end, text])).toEqual([
    ['Transcript', 0, 30_000, 'NESS: Where were you born?'],
    ['Transcript', 30_000, 60_000, 'LIND: In Norvik.'],
    ['Transcript', 90_000, 120_000, 'By the light.'],
    ['Transcript', 120_000, 180_000, 'It rained.'],
    ['Transcript', 180_000, 240_000, 'Always.'],
    ['Annotations', 0, 90_000, 'Childhood'],
    ['Annotations', 90_000, 150_000, 'The Aurora storm'],
    ['Annotations', 90_000, 150_000, 'fog'],
    ['Annotations', 90_000, 150_000, 'lamps'],
  ]);
  expect(remarks).toEqual(['index point 2 ignored: it has no readable time']);
});

test('an OHMS export whose usage holds an e-mail address keeps its rights, and names read as people write them', () => {
  const given = ohms('').replace('Ask first.', 'Ask ann@archive.example.').replace('Mara Lind', 'Mara O&apos;Lind &amp; <i>family</i>');
  const { record, remarks } = read('asked.xml', given);
  expect([record.rights, record.people]).toEqual(['CC BY', ["Mara O'Lind & family", 'Jon Ness']]);
  expect(remarks).toContain('removed what looked like an e-mail address from usage');
});

test('an OHMS export of today holds WebVTT, and one whose lines have no times says so and keeps its index', () => {
  const vtt = '<vtt_transcript><![CDATA[WEBVTT\n\n00:00:02.000 --> 00:00:04.500\n<v Lind>In Norvik & beyond.\n]]></vtt_transcript>';
  expect(momentsOf(read('new.xml', ohms(vtt)).record)[0]).toEqual(['Transcript', 2_000, 4_500, 'In Norvik & beyond.', 100, 'Lind']);
  const inLanguage = (language: string) => {
    const told = read('lang.xml', ohms(vtt).replace('<version>', `<language>${language}</language><version>`));
    return [told.record.language, told.remarks.filter((remark) => remark.includes('language'))];
  };
  expect([inLanguage('Spanish'), inLanguage('pt-BR')]).toEqual([
    ['es', []],
    ['pt-BR', []],
  ]);
  expect(inLanguage('Elvish')).toEqual([undefined, ['language “Elvish” not read']]);
  const { record, remarks } = read('untimed.xml', ohms('<sync></sync><transcript>In Norvik.</transcript>'));
  expect(record.lines).toEqual([]);
  expect(record.labels).toHaveLength(4);
  expect(remarks).toContain('transcript ignored: its lines have no times');
});

test('subtitles alone make a film of their name, of the language that it tells', () => {
  const { record } = read('evening news.de.srt', '1\n00:00:01,000 --> 00:00:02,500\nGuten Abend.\n');
  expect(record).toMatchObject({ externalId: 'evening news.de.srt', title: 'evening news', language: 'de', durationSeconds: 2.5 });
});

test('a file of as many lines as are read of one is a film as well', () => {
  const { record } = readExistingWork('long.vtt', Buffer.from(`WEBVTT\n\n${'00:01 --> 00:02\na\n\n'.repeat(200_000)}`));
  expect(record).toMatchObject({ durationSeconds: 2 });
});

test.each([
  ['other.json', '{"videos":[]}', 'unknown format (supported: an index'],
  ['tram.json', '{"title":"Night tram","recordedAt":"2024-03-02","people":[{"name":"Ines Caldeira","at":[7]}]}', 'details of one video'],
  ['no facts.json', '{"title":7}', 'unknown format'],
  ['broken.json', '{"videos":[{', 'unknown format (supported: an index'],
  ['entities.xml', `<!DOCTYPE ROOT [<!ENTITY a "b">]>${ohms('')}`, 'document type'],
  ['page.xml', '<html><body>no</body></html>', 'no subtitles found'],
  ['empty.srt', '', 'no subtitles found'],
])('%s is refused in a sentence', (name, text, why) => {
  expect(() => read(name, text)).toThrow(why);
});

function read(name: string, text: string) {
  const { record, remarks } = readExistingWork(name, Buffer.from(text));
  return { record: CatalogueRecord.parse(record), remarks };
}

function momentsOf(record: CatalogueRecord) {
  return momentsOfRecord(record).map(({ kind, startMs, endMs, text, confidencePercent, speaker }) => [
    ...[kind, startMs, endMs, text, confidencePercent, speaker],
  ]);
}
