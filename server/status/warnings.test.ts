import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ArchiveStatus } from '#contract/status.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { readStatus } from './read-status.ts';
import { findWarnings } from './warnings.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function readFacts() {
  const status = await vi.waitFor(async () => {
    const now = await readStatus(server.context, null);
    expect(now.processes).toHaveLength(1);
    return now;
  });
  const known = { ...status, failedFilms: 0, failedSteps: [], waitingPeople: 0, badOriginals: [], storeWarning: null, lacksMail: false };
  return { ...known, unreadOriginals: 0, lacksReachableAdmin: false, backupChecks: [], hasFilms: true };
}

test('nobody is told to make a new secret because a provider, or the way to it, is away', async () => {
  const facts = await readFacts();
  const advice = (fault: string, isRejecting: boolean) => {
    const outside = { at: facts.at, certificates: [], providers: [{ id: 'google', fault, isRejecting }] };
    return findWarnings({ ...facts, outside }).find(({ about }) => about === 'provider-google')?.whatToDo;
  };
  expect(advice('it rejects the archive’s id and secret (invalid_client)', true)).toContain('a new secret');
  expect(advice('it cannot be asked: getaddrinfo EAI_AGAIN', false)).toMatch(/DNS.+need no change/);
});

test('work that waits and that no living worker does is told by its kind, and none where one says nothing of it', async () => {
  const facts = await readFacts();
  const [web] = facts.processes;
  if (!web) throw new Error('this process did not tell of itself');
  const worker = { ...web, does: 'ingest' as const };
  const understanding = { ...worker, classes: ['understood' as const] };
  const playing = { ...worker, classes: ['playable' as const] };
  const told = (processes: ArchiveStatus['processes'], waiting: number) => {
    const queues = (['playable', 'understood'] as const).map((name) => ({ name, waiting, working: 0, oldestAt: null }));
    const warnings = findWarnings({ ...facts, processes, queues });
    return warnings.flatMap(({ about, is }) => (about.startsWith('no-') ? `${is} ${about}` : []));
  };
  expect(told([web, understanding], 1)).toEqual(['bad no-playable']);
  expect(told([playing, { ...understanding, isAlive: false }], 1)).toEqual(['bad no-understood']);
  expect(told([understanding], 0)).toEqual([]);
  expect(told([understanding, playing], 1)).toEqual([]);
  expect(told([understanding, worker], 1)).toEqual([]);
  expect(told([web], 1)).toEqual(['bad no-ingest']);
});

test('a certificate is told of by the share of its life that is left, and only the archive’s own', async () => {
  const facts = await readFacts();
  const days = (count: number) => new Date(Date.parse(facts.at) + count * 86_400_000).toISOString();
  const told = (lifetime: number, left: number, isOwn = true) => {
    const certificate = { of: 'a.example', isOwn, startsAt: days(left - lifetime), endsAt: days(left), fault: null };
    const outside = { at: facts.at, certificates: [certificate], providers: [] };
    return findWarnings({ ...facts, outside }).find(({ about }) => about === 'certificate-a.example')?.is;
  };
  expect([told(6, 3), told(6, 1.4), told(6, 0.5)]).toEqual([undefined, 'hint', 'bad']);
  expect([told(45, 15), told(45, 11), told(45, 4)]).toEqual([undefined, 'hint', 'bad']);
  expect([told(398, 22), told(398, 20), told(398, 6)]).toEqual([undefined, 'hint', 'bad']);
  expect([told(90, -1), told(90, -1, false)]).toEqual(['bad', undefined]);
});
