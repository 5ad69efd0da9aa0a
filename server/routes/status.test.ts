import { once } from 'node:events';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { ArchiveStatus } from '#contract/status.ts';
import { ingestQueue } from '#domain/jobs/ingest-queue.ts';
import { type JobData, openJobQueue } from '#domain/jobs/job-queue.ts';
import { keepTelling, readClockAhead } from '#domain/status/processes.ts';
import { lookAtStore } from '#domain/status/standing.ts';
import { readConfig } from '#server/config.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { findProgram } from '#testing/find-program.ts';
import { madeCertificate } from '#testing/made-certificate.ts';
import { standInCredentials, startStandIn } from '#testing/stand-in-providers.ts';
import { startStandInS3 } from '#testing/stand-in-s3.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { openOutlook } from '../status/look-outside.ts';
import { readStatus } from '../status/read-status.ts';
import { findWarnings, storeAway } from '../status/warnings.ts';

let server: TestServer;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer();
  admin = await addPerson(server.context, { admin: true });
});
afterAll(() => server.stop());

async function status(): Promise<ArchiveStatus> {
  const answer = await server.app.inject({ url: '/api/status', headers: { cookie: admin.cookie } });
  return ArchiveStatus.parse(answer.json());
}

test('every process stands in the status while it lives, goes when it ends, and is missed when it dies', async () => {
  const { pool } = server.context;
  const worker = keepTelling(pool, { does: 'ingest', dataFolder: server.context.folder.root, notes: ['reads footage with a tool'] });
  await vi.waitFor(async () => expect((await status()).processes).toHaveLength(2), 5_000);
  const { processes, warnings } = await status();
  expect(processes).toMatchObject([
    { does: 'web', isAlive: true, pid: process.pid, indexBatch: 0 },
    { does: 'ingest', isAlive: true, notes: ['reads footage with a tool'], indexBatch: null },
  ]);
  expect(processes[0]?.disk?.totalBytes).toBeGreaterThan(0);
  expect(warnings.map(({ about }) => about)).not.toContain('no-ingest');

  await pool.query("update processes set seen_at = now() - interval '31 seconds' where does = 'ingest'");
  expect((await status()).warnings).toMatchObject([
    { about: 'no-ingest', is: 'bad' },
    { is: 'hint', says: expect.stringContaining('has stopped reporting') },
  ]);
  await worker.stop();
  expect((await status()).processes.map(({ does }) => does)).toEqual(['web']);
});

test.runIf(process.platform === 'linux')('of the disks of a data folder and its media that with less room is told', async () => {
  const { pool, folder } = server.context;
  // A disk without a byte.
  const worker = keepTelling(pool, { does: 'ingest', dataFolder: folder.root, media: ['/proc'] });
  const told = async () => (await status()).processes.find(({ does }) => does === 'ingest')?.disk;
  await vi.waitFor(async () => expect(await told()).toEqual({ freeBytes: 0, totalBytes: 0 }), 5_000);
  await worker.stop();
});

test('a database that answers late makes no clock wrong, and one that answers very late says nothing of it', async () => {
  const clock =
    (...readings: number[]) =>
    () =>
      Date.now() + (readings.shift() ?? 0);
  const { pool } = server.context;
  expect(Math.abs((await readClockAhead(pool, clock(-900, 900))) ?? Number.NaN)).toBeLessThan(500);
  expect(await readClockAhead(pool, clock(9_000, 9_100))).toBeGreaterThan(8_000);
  expect(await readClockAhead(pool, clock(0, 9_000))).toBeNull();
});

test('films that wait, failed or are not found yet are counted, with the age of the oldest', async () => {
  const { pool } = server.context;
  const [old, failed] = [await addFilm(server.context), await addFilm(server.context)];
  await pool.query("update videos set modified_at = now() - interval '1 hour' where id = $1", [old]);
  await pool.query("update videos set state = 'Failed' where id = $1", [failed]);
  await pool.query("insert into ingest_steps (video_id, step, state, attempts) values ($1, 'text', 'failed', 3)", [old]);
  const { queues, store, warnings } = await status();
  expect(queues.find(({ name }) => name === 'index')).toMatchObject({ waiting: 1, working: 0, oldestAt: expect.any(String) });
  expect(store).toMatchObject({ films: 2, originalsBytes: 2_000 });
  expect(warnings.map(({ says }) => says)).toEqual(
    expect.arrayContaining([
      'Search is out of date for 1 video: the index has not caught up for 60 minutes.',
      '1 video could not be made playable.',
      'Steps failed on videos that play: On-screen text (1 video).',
    ]),
  );
});

test('each thing that runs out is told before it has, in a sentence with what to do', async () => {
  const badOriginals = [{ videoId: 'x', name: 'Harbour', fault: 'changed' as const }];
  const facts = {
    ...(await status()),
    failedFilms: 0,
    failedSteps: [{ step: 'text', films: 1_200 }],
    waitingPeople: 0,
    badOriginals,
    unreadOriginals: 2,
    storeWarning: null,
    lacksMail: true,
    lacksReachableAdmin: true,
    backupChecks: [
      { at: '2026-03-01T00:00:00.000Z', folder: '/backups', ok: false, message: 'away', damage: '1 fault found. media/x is damaged.' },
      { at: '2026-03-01T00:00:00.000Z', folder: '/away', ok: false, message: 'it answers 503', damage: null },
      { at: '2026-03-01T00:00:00.000Z', folder: '/well', ok: true, message: '', damage: null },
    ],
    hasFilms: true,
  };
  const [web] = facts.processes;
  if (!web) throw new Error('this process did not tell of itself');
  const days = (count: number) => new Date(Date.parse(facts.at) + count * 86_400_000).toISOString();
  const disk = { freeBytes: 1e9, totalBytes: 1e12 };
  const told = findWarnings({
    ...facts,
    processes: [
      { ...web, does: 'ingest' },
      { ...web, machine: 'b', disk, clockAheadMs: -9_000, version: '0.0.9' },
    ],
    queues: [],
    store: { ...facts.store, originalsBytes: 9.1e11, originalsMaxBytes: 1e12 },
    storeWarning: storeAway('it answers 403 AccessDenied', { dataFolder: '/data', s3: undefined }),
    database: { ...facts.database, role: 'standby', lagSeconds: 7, connections: 99, connectionsMax: 100 },
    backup: { ...facts.backup, is: 'late' },
    outside: {
      at: facts.at,
      certificates: [
        { of: 'archive.example', isOwn: true, startsAt: days(-87), endsAt: days(3), fault: null },
        { of: 'idp.example', isOwn: false, startsAt: days(-1), endsAt: days(2), fault: 'SELF_SIGNED' },
      ],
      providers: [
        { id: 'google', fault: 'it rejects us', isRejecting: true },
        { id: 'microsoft', fault: 'it is away', isRejecting: false },
      ],
    },
  });
  expect(told.map(({ about, is }) => `${is} ${about}`)).toEqual([
    ...[
      'bad clock-b',
      'bad store',
      'bad standby',
      'bad connections',
      'bad backup',
      'bad backup-check-/backups',
      'bad certificate-archive.example',
      'bad provider-google',
      'bad provider-microsoft',
      'bad originals',
    ],
    ...[
      'hint versions',
      'hint disk-b',
      'hint quota',
      'hint backup-unchecked-/away',
      'hint unverified-idp.example',
      'hint unread-originals',
      'hint failed-steps',
      'hint mail',
      'hint unreachable-admins',
    ],
  ]);
  const quotaOf = (originalsBytes: number) =>
    findWarnings({ ...facts, store: { ...facts.store, originalsBytes, originalsMaxBytes: 1e12 } }).find(({ about }) => about === 'quota');
  expect([quotaOf(8.9e11), quotaOf(9e11)?.is, quotaOf(1e12)?.is]).toEqual([undefined, 'hint', 'bad']);
  for (const { says, whatToDo } of told) expect([says, whatToDo].map((text) => /[.)]$/.test(text))).toEqual([true, true]);
});

test('only what is at fault outside is looked at again before its hour: after one minute, then after 2, 4, 8 and in the end 60', async () => {
  const standIn = await startStandIn('https://localhost:1');
  onTestFinished(() => {
    vi.useRealTimers();
    standIn.stop();
  });
  // Nobody answers at the address of the archive: that is a hint, which nobody is sent.
  const outlook = openOutlook(
    readConfig({
      ...standInCredentials,
      RUSHES_PUBLIC_URL: 'https://localhost:1',
      RUSHES_SIGN_IN_STAND_IN: standIn.base,
      TWITTER_CLIENT_SECRET: 'of-last-year',
    }),
  );
  const beganMs = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  const askedAfter = async (minutes: number) => {
    vi.setSystemTime(beganMs + minutes * 60_000);
    standIn.asked.length = 0;
    const seen = await outlook.look();
    expect(seen?.certificates).toMatchObject([{ fault: expect.any(String) }]);
    expect(seen?.providers.filter(({ fault }) => fault !== null)).toMatchObject([{ id: 'twitter' }]);
    return standIn.asked.toSorted().join(' ');
  };
  const all = 'facebook google microsoft oidc twitter';
  expect([await askedAfter(0), await askedAfter(0.5)]).toEqual([all, '']);
  const looks: number[] = [];
  for (let minutes = 2; minutes < 60; minutes += 2) if ((await askedAfter(minutes)) === 'twitter') looks.push(minutes);
  expect(looks).toEqual([2, 4, 8, 16, 32]);
  expect(await askedAfter(60)).toBe('facebook google microsoft oidc');
  expect([await askedAfter(64), await askedAfter(122), await askedAfter(124), await askedAfter(126)]).toEqual([
    'twitter',
    'facebook google microsoft oidc',
    'twitter',
    '',
  ]);
});

test('mails of sign-ups that would go to nobody are told of, until an administrator has a confirmed address', async () => {
  const open = await startTestServer({ RUSHES_PUBLIC_URL: 'https://archive.example', SMTP_URL: 'smtp://127.0.0.1:1' });
  const told = async () => (await readStatus(open.context, null)).warnings.some(({ about }) => about === 'unreachable-admins');
  await open.context.pool.query(
    `insert into users (id, email, name, roles) values ('boss', 'boss@example.test', 'Boss', '{"admin": true}')`,
  );
  expect(await told()).toBe(true);
  await open.context.pool.query('update users set email_verified = true');
  expect(await told()).toBe(false);
  await open.stop();
});

test('a store of media that is away is told by bucket and address, with what to do, and told no more once it is back', async () => {
  const bucket = await startStandInS3();
  const { endpoint, accessKey, secretKey } = bucket.settings;
  const keys = { RUSHES_S3_ACCESS_KEY: accessKey, RUSHES_S3_SECRET_KEY: secretKey };
  const machine = await startTestServer({ RUSHES_S3_ENDPOINT: endpoint, RUSHES_S3_BUCKET: bucket.settings.bucket, ...keys });
  const storeOf = async () => {
    const { store, warnings } = await readStatus(machine.context, null);
    return { place: store.place, told: warnings.filter(({ about }) => about === 'store') };
  };
  const place = `the bucket stand-in at ${endpoint}`;
  expect(await storeOf()).toEqual({ place, told: [] });
  bucket.fail = () => 'forbid';
  const says = 'The media store cannot be reached, so videos do not play and nothing can be added: it answers 403 AccessDenied.';
  expect(await storeOf()).toEqual({ place, told: [{ about: 'store', is: 'bad', says, whatToDo: expect.stringContaining(place) }] });
  bucket.fail = () => undefined;
  expect((await storeOf()).told).toEqual([]);

  bucket.fail = () => 'silence';
  const before = bucket.requests.length;
  const late = await Promise.all([1, 2, 3].map(() => lookAtStore(machine.context.store, 50)));
  expect(late).toEqual(late.map(() => 'it did not answer within 0.05 s'));
  expect(bucket.requests.length - before).toBeLessThanOrEqual(1);
  await bucket.close();
  await machine.stop();
});

test.runIf(findProgram('openssl'))(
  'a certificate is seen with its end, and a provider that does not take our secret is found out',
  async () => {
    const standIn = await startStandIn('https://localhost:1');
    const secured = createServer(madeCertificate('DNS:localhost') ?? {});
    await once(secured.listen(0, '127.0.0.1'), 'listening');
    const address = secured.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const look = async (more: Record<string, string>) => {
      const config = readConfig({
        ...standInCredentials,
        RUSHES_PUBLIC_URL: `https://localhost:${port}`,
        RUSHES_SIGN_IN_STAND_IN: standIn.base,
        ...more,
      });
      return await openOutlook(config).look();
    };
    const seen = await look({});
    expect(seen?.certificates).toMatchObject([{ of: `localhost:${port}`, fault: null }]);
    expect(Date.parse(seen?.certificates[0]?.endsAt ?? '')).toBeGreaterThan(Date.now());
    expect(seen?.providers.map(({ id, fault }) => fault ?? id)).toEqual(['oidc', 'google', 'microsoft', 'facebook', 'twitter']);
    const old = ['GOOGLE', 'TWITTER', 'RUSHES_OIDC'].map((name) => [`${name}_CLIENT_SECRET`, 'of-last-year']);
    const after = await look(Object.fromEntries(old));
    expect(after?.providers.filter(({ fault }) => fault !== null).map(({ id }) => id)).toEqual(['oidc', 'google', 'twitter']);
    secured.close();
    standIn.stop();
  },
);

test('a film that waits and is looked at every few seconds is as old as its first wait, and a warning', async () => {
  const { pool } = server.context;
  const queue = await openJobQueue(pool, { onError: () => {} });
  const given: JobData[] = [];
  await queue.enqueue(ingestQueue, { videoId: 'waits' });
  await pool.query("update jobs.job set created_on = now() - interval '3 hours' where data ->> 'videoId' = 'waits'");
  await queue.work(ingestQueue, async (data) => {
    given.push(data);
    return await Promise.resolve({ is: 'retry-later', inSeconds: given.length < 3 ? 1 : 600 });
  });
  await vi.waitFor(() => expect(given).toEqual([{ videoId: 'waits' }, { videoId: 'waits' }, { videoId: 'waits' }]), 20_000);
  const { at, queues, warnings } = await vi.waitFor(async () => {
    const now = await status();
    expect(now.queues.find(({ name }) => name === 'playable')).toMatchObject({ waiting: 1, working: 0 });
    return now;
  }, 20_000);
  const oldestAt = queues.find(({ name }) => name === 'playable')?.oldestAt;
  expect((Date.parse(at) - Date.parse(oldestAt ?? at)) / 3_600_000).toBeCloseTo(3, 1);
  expect(warnings).toContainEqual(expect.objectContaining({ says: expect.stringContaining('A video has waited 3 hours') }));
  await queue.stop();
  await pool.query("delete from jobs.job where data ->> 'videoId' = 'waits'");
});
