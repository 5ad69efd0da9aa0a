import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VideoIndex } from '#contract/video-service/answers.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { correctName } from '#domain/videos/corrections/correct-fact.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import { holdStep, skipStep, startStep } from '#domain/videos/record-step.ts';
import { sayWhySkipped, type WhySkipped } from '#domain/videos/speech-of-film.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson } from '#testing/add-person.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let server: TestServer;
let ask: (query: string) => Promise<{ statusCode: number; json: () => { summarizedInsights: unknown } }>;
beforeAll(async () => {
  server = await startTestServer();
  const film = await addFilm(server.context, { name: 'Harbour', lines: ['The heron stands.'] });
  const token = await (await addPerson(server.context, { viewer: true })).videoToken(film);
  ask = (query) =>
    server.app.inject({ url: `${server.account}/Videos/${film}/Index${query}`, headers: { authorization: `Bearer ${token}` } });
});
afterAll(() => server.stop());

test('the older summary of an index is given to those who ask for it, and to nobody else', async () => {
  const summaries = await Promise.all(
    ['?includeSummarizedInsights=true', '?includeSummarizedInsights=TRUE', '?includeSummarizedInsights=false', ''].map(
      async (query) => (await ask(query)).json().summarizedInsights,
    ),
  );
  const given = expect.objectContaining({ name: 'Harbour', faces: [], statistics: expect.anything() });
  expect(summaries).toEqual([given, given, null, null]);
});

test('a wish for it that is neither yes nor no is refused in the words of the service', async () => {
  const answer = await ask('?includeSummarizedInsights=maybe');
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ ErrorType: 'INVALID_INPUT', Message: expect.stringContaining('must be true or false') });
});

test('what is known of a film as a whole is read with its token, and nothing that only editors know', async () => {
  const film = await addFilm(server.context, { name: 'Ferry', externalId: 'EXT-1' });
  await server.context.pool.query("update videos set rights = 'By request', place = 'Norvik', recorded_at = '1969-07' where id = $1", [
    film,
  ]);
  const token = await (await addPerson(server.context, { viewer: true })).videoToken(film);
  const facts = (bearer: string) => server.app.inject({ url: `/api/videos/${film}/facts`, headers: { authorization: `Bearer ${bearer}` } });
  const known = { description: null, recordedAt: '1969-07', place: 'Norvik', language: 'en', rights: 'By request' };
  expect((await facts(token)).json()).toEqual(known);
  expect((await facts(await server.guestToken())).statusCode).toBe(403);
});

test('a film without speech text says why, and in which languages meaning is understood; what a tool said of itself stays with editors', async () => {
  const { pool } = server.context;
  const film = await addFilm(server.context, { name: 'Tram' });
  const token = await (await addPerson(server.context, { viewer: true })).videoToken(film);
  const unheard = { is: 'no-recogniser' } as const;
  const inGerman = { is: 'other-language', understood: 'English', language: 'de' } as const;
  const skip = async (step: string, reason: string | WhySkipped) => {
    await startStep(pool, film, step);
    await skipStep(pool, film, { step, reason });
  };
  const said = async () => {
    const url = `${server.account}/Videos/${film}/Index`;
    const { videos } = VideoIndex.parse((await server.app.inject({ url, headers: { authorization: `Bearer ${token}` } })).json());
    return [videos[0]?.insights.noTranscript, videos[0]?.insights.noMeaning];
  };
  expect(await said()).toEqual([undefined, undefined]);
  await skip('speech', 'Whisper cannot be used: secret.bin is no model file of whisper.cpp.');
  await skip('meaning', 'Sentences cannot be used: its file secret.onnx is missing.');
  expect(await said()).toEqual([undefined, undefined]);
  await startStep(pool, film, 'speech');
  expect(await said()).toEqual([undefined, undefined]);
  // One that only waits for its tool loses no try.
  await holdStep(pool, film, { step: 'speech', reason: 'The model is on its way.' });
  expect(await startStep(pool, film, 'speech')).toBe(2);
  await skip('speech', unheard);
  await skip('meaning', inGerman);
  // It is called English by now.
  expect(await said()).toEqual([sayWhySkipped(unheard), undefined]);
  await skip('speech', 'Nobody speaks in it.');
  // By a worker of the version before, which has sentences alone.
  expect(await said()).toEqual(['Nobody speaks in it.', undefined]);
  await skip('speech', unheard);
  const nameGerman = () => pool.query("update videos set language = 'de' where id = $1", [film]);
  await nameGerman();
  expect(await said()).toEqual([sayWhySkipped(unheard), sayWhySkipped(inGerman)]);
  await skip('meaning', 'Meaning is understood in English only, and this film is in another language (de).');
  expect(await said()).toEqual([sayWhySkipped(unheard), sayWhySkipped(inGerman)]);
  const line = { kind: 'Transcript', source: 'sidecar', startMs: 0, endMs: 1_000, text: 'Halt am Hafen', confidencePercent: 100 } as const;
  await publishLayers(pool, film, { madeBy: 'captions', version: 1, layers: [{ name: 'captions', moments: [line] }] });
  await nameGerman();
  expect(await said()).toEqual([undefined, sayWhySkipped(inGerman)]);
});

test('what films were skipped for before there were codes, in sentences, is told as it was; no other sentence is', async () => {
  const { pool } = server.context;
  const whys: WhySkipped[] = [
    { is: 'no-recogniser' },
    { is: 'nobody-speaks' },
    { is: 'other-language', understood: 'English and Norwegian', language: 'pt-BR' },
  ];
  const skipped: [step: string, why: string | WhySkipped][] = [
    ...whys.map((why): [string, WhySkipped] => [why.is === 'other-language' ? 'meaning' : 'speech', why]),
    ['speech', 'It has captions.'],
    ['meaning', 'Nothing is said in it.'],
  ];
  const films = await Promise.all(
    skipped.map(async ([step, reason]) => {
      const film = await addFilm(server.context, { name: 'Ferry' });
      await startStep(pool, film, step);
      await skipStep(pool, film, { step, reason });
      return film;
    }),
  );
  const reasons = async () => {
    const { rows } = await pool.query<{ reason: WhySkipped | null }>(
      "select reason from ingest_steps where state = 'skipped' and video_id = any ($1) order by array_position($1, video_id)",
      [films],
    );
    return rows.map(({ reason }) => reason);
  };
  const inCodes = await reasons();
  expect(inCodes).toEqual([...whys, null, null]);
  // The sentence had another word then.
  await pool.query("update ingest_steps set message = replace(message, 'this video', 'this film')");
  await pool.query('alter table ingest_steps drop column reason');
  await pool.query(await readFile(join(import.meta.dirname, '../../domain/db/migrations/0118-why-skipped.sql'), 'utf8'));
  expect(await reasons()).toEqual(inCodes);
});

test('a name of the catalogue says so, with times or without; one that an editor added or a machine found says that', async () => {
  const { pool } = server.context;
  const people = [{ name: 'Ida Storm', at: [3] }, 'Nils Vik'];
  const record = CatalogueRecord.parse({ id: 'gale', title: 'Gale', people, labels: ['boat'], lines: [{ start: 1, text: 'Hold on' }] });
  const [film] = await createCatalogueVideos(pool, [record]);
  if (!film) throw new Error('the record is not there');
  const editor = await addPerson(server.context, { editor: true });
  const adding = { videoId: film.id, kind: 'people', replaces: '', says: 'Ann Vik', actorUid: editor.uid, from: '127.0.0.1' } as const;
  await correctName(pool, adding);
  const seen = { startMs: 0, endMs: 1_000, source: 'machine', kind: 'Annotations', confidencePercent: 60 } as const;
  const moments = ['boat', 'sea'].map((text) => ({ ...seen, text }));
  await publishLayers(pool, film.id, { madeBy: 'labels', version: 1, layers: [{ name: 'labels', names: ['boat', 'sea'], moments }] });
  const url = `${server.account}/Videos/${film.id}/Index?accessToken=${await editor.videoToken(film.id)}`;
  const { faces, labels, transcript } = VideoIndex.parse((await server.app.inject(url)).json()).videos[0]?.insights ?? {};
  expect([faces, labels].map((list) => list?.map(({ name, provenance }) => [name, provenance]))).toEqual([
    [
      ['Ida Storm', 'catalogue'],
      ['Nils Vik', 'catalogue'],
      ['Ann Vik', 'corrected'],
    ],
    [
      ['boat', 'machine'],
      ['sea', 'machine'],
    ],
  ]);
  expect(transcript?.map(({ provenance }) => provenance)).toEqual([undefined]);
});
