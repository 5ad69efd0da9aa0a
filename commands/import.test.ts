import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openLocalStore } from '#domain/files/local-store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { unpackMoments } from '#domain/moments/packed-moments.ts';
import { deleteFilm } from '#domain/videos/deletions.ts';
import { canMakeMedia, makeClip } from '#testing/media-clips.ts';
import { runImport, startImport } from '#testing/run-import.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let root: string;
let database: TestDatabase;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'rushes-import-'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  await rm(root, { recursive: true, force: true });
});

test.skipIf(!canMakeMedia)(
  'importing a folder tells what became of each file, and importing it again adds nothing and says so',
  {
    timeout: 300_000,
  },
  async () => {
    const folder = join(root, 'films', 'below');
    await mkdir(folder, { recursive: true });
    await makeClip(join(folder, 'harbour_at-dawn.mp4'));
    await writeFile(join(folder, 'harbour_at-dawn.en.vtt'), 'WEBVTT\n\n00:01.250 --> 00:02.500\nThe boats come home\n');
    const facts = {
      title: 'Harbour at dawn [AB-1234]',
      owner: 'ann@example.com',
      people: [{ name: 'Bo', at: [1] }, 'Cy <cy@example.com>'],
      labels: ['boat'],
    };
    await writeFile(join(folder, 'harbour_at-dawn.json'), JSON.stringify(facts));
    await writeFile(join(root, 'films', 'broken.mp4'), 'nothing that anybody could play');
    await writeFile(join(root, 'films', 'notes.txt'), 'not footage');

    const first = await runImport([join(root, 'films')], archive());
    expect(first.output).toContain('imported as “Harbour at dawn [AB-1234]”');
    expect(first.output).toContain('removed what looked like an e-mail address from owner, people');
    expect(first.output).toContain('broken.mp4: refused (unreadable_media): ');
    expect(first.output).toContain('2 files: 1 imported, 0 already in the archive, 1 refused');
    expect(first.exitCode).toBe(1);

    const { rows } = await database.pool.query(
      `select owner, people, labels, convert_from(body, 'UTF8') as body, indexed_revision = revision as indexed from videos join moments on video_id = id
        where state = 'Processed'`,
    );
    expect(rows).toMatchObject([{ owner: null, people: ['Bo'], labels: ['boat'], indexed: true }]);
    expect(unpackMoments(rows[0].body)).toEqual([
      { kind: 'Face', startMs: 1_000, endMs: 3_000, text: 'Bo', source: 'editor', confidencePercent: 100 },
      { kind: 'Transcript', startMs: 1_250, endMs: 2_500, text: 'The boats come home', source: 'sidecar', confidencePercent: 100 },
    ]);

    const second = await runImport([join(folder, 'harbour_at-dawn.mp4')], archive());
    expect(second.output).toContain('already in the archive');
    expect(second.exitCode).toBe(0);
    expect((await database.pool.query('select 1 from videos')).rowCount).toBe(2);
  },
);

test('catalogue records come in from a file once, with a poster of their title; a bad line is refused and counted', {
  timeout: 300_000,
}, async () => {
  const line = { id: 'talk-1', title: 'A talk', videoId: '3jq0p0vhsl', durationSeconds: 9, lines: [{ start: 1, end: 2, text: 'hello' }] };
  await writeFile(join(root, 'talks.jsonl'), `${JSON.stringify(line)}\n{"id":"no title"}\nnonsense\n`);
  const first = await runImport(['--transcripts', join(root, 'talks.jsonl')], archive());
  expect(first.output).toContain('1 added, 0 already in the archive, 2 refused');
  expect(first.output).toContain('talks.jsonl: line 1 id 3jq0p0vhsl not kept: ids here are ten characters of 0-9 and a-f');
  expect(first.exitCode).toBe(1);
  expect((await runImport(['--transcripts', join(root, 'talks.jsonl')], archive())).output).toContain(
    '0 added, 1 already in the archive, 2 refused',
  );
  const misspelt = [1, 2].map((n) => JSON.stringify({ id: `talk-of-${n}`, title: 'A talk', transcript: [{ start: 1, text: 'hello' }] }));
  await writeFile(join(root, 'misspelt.jsonl'), misspelt.join('\n'));
  expect((await runImport(['--transcripts', join(root, 'misspelt.jsonl')], archive())).output).toMatch(
    /misspelt\.jsonl: fields left out, and how many records have them: transcript \(2\)\. What is read: id, .*durationSeconds.*lines, ocr\n/,
  );
  expect(first.output).not.toContain('fields left out');
  const { rows } = await database.pool.query(`select id from videos where external_id = 'talk-1'`);
  const poster = await storedBytes(openLocalStore(join(root, 'data')), toVideoKeys(rows[0].id).poster);
  expect(poster.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
});

test('a catalogue record that tells no language is in that of its lines, one that tells it in that', { timeout: 60_000 }, async () => {
  const lines = [{ start: 1, text: 'Der Hafen liegt am Morgen noch im Nebel, und die Fischer kommen mit ihren Booten zurück.' }];
  const records = [{ id: 'hafen' }, { id: 'hafen-fr', language: 'fr' }].map((one) => ({ title: 'Hafen', lines, ...one }));
  const brief = { id: 'hafen-brief', title: 'Hafen', lines: [{ start: 1, text: 'Guten Morgen' }] };
  await writeFile(join(root, 'languages.jsonl'), [...records, brief].map((record) => JSON.stringify(record)).join('\n'));
  await runImport(['--transcripts', join(root, 'languages.jsonl')], archive());
  const { rows } = await database.pool.query(
    `select external_id as id, language from videos where external_id like 'hafen%' order by external_id`,
  );
  expect(rows.map(({ id, language }) => [id, language])).toEqual([
    ['hafen', 'de'],
    ['hafen-brief', 'en'],
    ['hafen-fr', 'fr'],
  ]);
});

test('what cannot be read is refused in a line that says what to do, what follows comes in, and the import ends with 1', {
  timeout: 300_000,
}, async () => {
  const folder = join(root, 'partly');
  await mkdir(folder);
  await writeFile(Buffer.concat([Buffer.from(join(folder, 'caf')), Buffer.from([0xe9]), Buffer.from('.mp4')]), 'footage');
  await writeFile(join(folder, 'later.mp4'), 'nothing that anybody could play');
  await symlink(join(folder, 'later.mp4'), join(folder, 'linked.mp4'));
  const films = await runImport([folder], archive());
  expect(films.output).toContain('caf\ufffd.mp4: refused (unreadable_media): Its name is not valid UTF-8. Rename it.\n');
  expect(films.output).toContain('[2/2] later.mp4: refused (');
  expect(films.output).toContain('1 symbolic link was left alone, ');
  expect(films.exitCode).toBe(1);

  const records = ['one', 'two'].map((id) => `${JSON.stringify({ id: `whole-${id}`, title: 'A talk', durationSeconds: 9, lines: [] })}\n`);
  const packed = gzipSync(records.join(''));
  await mkdir(join(folder, 'records'));
  // On every machine this is a file whose first byte gives EIO.
  await symlink('/proc/self/mem', join(folder, 'faulty.jsonl'));
  await writeFile(join(folder, 'records', '1-cut-off.jsonl.gz'), packed.subarray(0, -8));
  await writeFile(join(folder, 'records', '2-whole.jsonl.GZ'), packed);
  await writeFile(join(folder, 'records', '3-marked.jsonl'), `\ufeff${records[0]?.replace('whole-one', 'marked-one')}`);
  const told = ['--transcripts', join(folder, 'faulty.jsonl'), '--transcripts', join(folder, 'records')];
  const { output, exitCode } = await runImport(told, archive());
  expect(output).toContain('faulty.jsonl: refused: It could not be read (EIO: i/o error, read). Check its disk or share');
  expect(output).toMatch(/1-cut-off\.jsonl\.gz: what follows line \d refused: It is not a whole gzip file/);
  expect(output).toMatch(/2-whole\.jsonl\.GZ: \d added, \d already in the archive, 0 refused/);
  expect(output).toContain('3-marked.jsonl: 1 added, 0 already in the archive, 0 refused');
  expect(exitCode).toBe(1);
  expect((await database.pool.query(`select from videos where external_id in ('whole-one', 'whole-two', 'marked-one')`)).rowCount).toBe(3);
});

test('an empty path is answered by how to call the import, and the archive’s own files are not brought in a second time', {
  timeout: 300_000,
}, async () => {
  for (const args of [[''], ['--transcripts', ''], [join(root, 'films'), '']])
    expect(await runImport(args, archive())).toEqual({ exitCode: 1, output: expect.stringMatching(/^Usage: /) });
  await mkdir(join(root, 'data'), { recursive: true });
  await writeFile(join(root, 'data', 'kept.mp4'), 'footage');
  const kept = await runImport([join(root, 'data', 'kept.mp4')], archive());
  expect(kept).toEqual({ exitCode: 1, output: expect.stringContaining('where the archive keeps its own files') });
  await rm(join(root, 'data', 'kept.mp4'));
});

const indexOf = (id: string, text: string) => ({
  name: 'Tram lines',
  videos: [
    {
      id,
      insights: {
        language: 'en-GB',
        transcript: [
          { text, confidence: 0.5, speakerId: 0, instances: [{ start: '0:00:00.5', end: '0:00:01.5' }] },
          { text: 'never', instances: [] },
        ],
        faces: [{ name: 'Amara Osei', instances: [{ start: '0:00:01', end: '0:00:02' }] }],
      },
    },
  ],
});

test('an Index of Video Indexer, alone or beside its film, keeps the id that links lead to, and times and people', {
  timeout: 300_000,
}, async () => {
  const folder = join(root, 'moved');
  await mkdir(folder);
  await writeFile(join(folder, 'alone.json'), JSON.stringify(indexOf('8c2a1f00de', 'The last tram leaves')));
  await writeFile(join(folder, 'notes.json'), '{}');
  const alone = await runImport(['--transcripts', folder], archive());
  expect(alone.output).toContain('alone.json: transcript 2 ignored: it has no text or no readable times');
  expect(alone.output).toContain('alone.json: 1 added, 0 already in the archive, 0 refused');
  expect(alone.output).toContain('notes.json: refused: unknown format (supported: an index from Azure AI Video Indexer');
  expect(alone.exitCode).toBe(1);
  expect((await runImport(['--transcripts', join(folder, 'alone.json')], archive())).output).toContain('0 added, 1 already in the archive');
  expect(await momentsOf('8c2a1f00de')).toEqual([
    { kind: 'Transcript', startMs: 500, endMs: 1_500, text: 'The last tram leaves', source: 'catalogue', confidencePercent: 50 },
    { kind: 'Face', startMs: 1_000, endMs: 2_000, text: 'Amara Osei', source: 'catalogue', confidencePercent: 100 },
  ]);
  if (!canMakeMedia) return;

  await makeClip(join(folder, 'tram.mp4'), ['-vf', 'negate']);
  await writeFile(join(folder, 'tram.json'), JSON.stringify(indexOf('0123456789', 'The first tram leaves')));
  expect((await runImport([join(folder, 'tram.mp4')], archive())).output).toContain('imported as “Tram lines” (0123456789)');
  expect(await momentsOf('0123456789')).toMatchObject([
    {
      kind: 'Transcript',
      startMs: 500,
      text: 'The first tram leaves',
      source: 'machine',
      confidencePercent: 50,
    },
    { kind: 'Face', startMs: 1_000, endMs: 2_000, text: 'Amara Osei' },
  ]);
});

test('a path that is not there and a wrong FFMPEG_PATH are one line and exit code 1', { timeout: 300_000 }, async () => {
  const absent = await runImport([join(root, 'absent.mp4')], archive());
  expect(absent).toMatchObject({ exitCode: 1 });
  expect(absent.output.trim().split('\n')).toHaveLength(1);
  const noRecords = await runImport(['--transcripts', join(root, 'absent.jsonl.gz')], archive());
  expect([noRecords.exitCode, noRecords.output]).toEqual([1, expect.stringMatching(/^ENOENT: .+absent\.jsonl\.gz'\n$/)]);
  await writeFile(join(root, 'clip.mp4'), 'not yet looked at');
  const wrong = await runImport([join(root, 'clip.mp4')], { ...archive(), FFMPEG_PATH: '/nowhere/ffmpeg' });
  expect(wrong).toEqual({
    exitCode: 1,
    output: 'FFMPEG_PATH is /nowhere/ffmpeg, but ffmpeg and ffprobe are not there; correct or remove it.\n',
  });
});

test.skipIf(!canMakeMedia)(
  'a worker that is killed in the middle of a film is followed by one that finishes it',
  {
    timeout: 300_000,
  },
  async () => {
    const film = join(root, 'long.mkv');
    await makeClip(film, ['-vf', 'scale=640:360,loop=loop=-1:size=75:start=0', '-t', '30', '-c:a', 'libopus']);
    const first = startImport([film], archive());
    await vi.waitFor(async () => expect(await stepState('renditions')).toBe('running'), { timeout: 60_000, interval: 50 });
    first.kill('SIGKILL');
    await once(first, 'exit');
    expect(await stepState('probe')).toBe('done');
    const attempts = await stepAttempts('probe');
    const second = await runImport([film], archive());
    expect(second.output).toContain('“Long”');
    expect(second.exitCode).toBe(0);
    expect(await stepState('publish')).toBe('done');
    expect(await stepAttempts('probe')).toBe(attempts);
    expect(await stepAttempts('renditions')).toBeGreaterThan(1);
    expect((await database.pool.query(`select 1 from videos where name = 'Long'`)).rowCount).toBe(1);
  },
);

test.skipIf(!canMakeMedia)(
  'films are copied while one before them is worked on, are told of in their order, and one that an editor deletes is not waited for',
  { timeout: 300_000 },
  async () => {
    const folder = join(root, 'several');
    await mkdir(folder);
    const slow = ['-vf', 'scale=640:360,negate,loop=loop=-1:size=75:start=0', '-t', '60', '-c:a', 'libopus'];
    await makeClip(join(folder, 'first.mkv'), slow);
    await makeClip(join(folder, 'second.mp4'), ['-vf', 'hflip']);
    await makeClip(join(folder, 'third.mp4'), ['-vf', 'vflip']);
    const running = runImport([folder], archive());
    const states = async () => {
      const { rows } = await database.pool.query(
        `select name, state, id from videos where name in ('First', 'Second', 'Third') order by name`,
      );
      return rows;
    };
    await vi.waitFor(async () => expect(await states()).toHaveLength(3), { timeout: 60_000, interval: 50 });
    const [first] = await states();
    expect(first.state).not.toBe('Processed');
    await deleteFilm(database.pool, { videoId: first.id, name: 'First', reason: '', actorUid: 'somebody', from: 'a test' });
    const { output, exitCode } = await running;
    const lines = output.split('\n').filter((line) => /^\[\d\/3\]/.test(line));
    expect(lines.toSorted((a, b) => a.localeCompare(b)).map((line) => line[1])).toEqual(lines.map((line) => line[1]));
    expect(output).toContain(`first.mkv: deleted by an editor meanwhile (${first.id}). Restore it from the desk, under Deleted.`);
    expect(output).toContain('3 files: 2 imported, 0 already in the archive, 1 refused');
    expect(exitCode).toBe(1);
  },
);

async function stepState(step: string): Promise<string | undefined> {
  const { rows } = await database.pool.query(
    `select s.state from ingest_steps s join videos v on v.id = video_id where v.name = 'Long' and step = $1`,
    [step],
  );
  return rows[0]?.state;
}

async function stepAttempts(step: string): Promise<number> {
  const { rows } = await database.pool.query(
    `select s.attempts from ingest_steps s join videos v on v.id = video_id where v.name = 'Long' and step = $1`,
    [step],
  );
  return rows[0]?.attempts ?? 0;
}

function archive(): Record<string, string> {
  // What understands films has tests of its own, and takes minutes.
  return { RUSHES_DATA: join(root, 'data'), DATABASE_URL: database.url, RUSHES_INGEST: 'playable' };
}

async function momentsOf(id: string) {
  const { rows } = await database.pool.query("select convert_from(body, 'UTF8') as body, word_starts from moments where video_id = $1", [
    id,
  ]);
  return rows[0] && unpackMoments(rows[0].body);
}
