import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { can } from '#contract/roles.ts';
import { Session } from '#contract/session.ts';
import type { Person } from './add-person.ts';
import { until } from './until.ts';

/** Everything that lets somebody watch, asked again and again: which kind, and whether it answered yes. */
export interface AccessProbes {
  /** When a question was last asked that was answered with yes, in milliseconds since 1970. */
  lastYesAt(kind: ProbeKind): number;
  /** Waits until every kind has been answered yes (or no) many times running. */
  settled(answer: 'yes' | 'no'): Promise<void>;
  stop(): Promise<void>;
}

export const probeKinds = ['session', 'bearer', 'video token', 'media cookie'] as const;
export type ProbeKind = (typeof probeKinds)[number];

const everyMs = 20;
const timesRunning = 5;

/** Begins to ask a server with the keys that this person holds to one film. */
export async function probeAccess({ app, film, account }: { app: FastifyInstance; film: string; account: string }, person: Person) {
  const [bearer, videoToken] = [await person.bearer(), await person.videoToken(film)];
  const player = await app.inject(`/embed/player/trial/${film}/?accessToken=${videoToken}`);
  const mediaCookie = String(player.headers['set-cookie']).split(';')[0] ?? '';
  const opens = async (url: string, headers: Record<string, string>) => (await app.inject({ url, headers })).statusCode === 200;
  const questions: Record<ProbeKind, () => Promise<boolean>> = {
    session: async () => {
      const answer = await app.inject({ url: '/api/session', headers: { cookie: person.cookie } });
      return can(Session.parse(answer.json()).user?.roles, 'view');
    },
    bearer: () => opens(`/api/GetVideoIndexerVideoAccessTokenV2/${film}`, { authorization: `Bearer ${bearer}` }),
    'video token': () => opens(`${account}/Videos/${film}/Index`, { authorization: `Bearer ${videoToken}` }),
    'media cookie': () => opens(`/media/${film}/hls/v1/segment-00000.m4s`, { cookie: mediaCookie }),
  };
  return askForEver(questions);
}

function askForEver(questions: Record<ProbeKind, () => Promise<boolean>>): AccessProbes {
  const seen = new Map(probeKinds.map((kind) => [kind, { yesAt: 0, isYes: false, running: 0 }]));
  let isStopped = false;
  const ask = async (kind: ProbeKind) => {
    while (!isStopped) {
      const askedAt = Date.now();
      const isYes = await questions[kind]();
      const before = seen.get(kind);
      const running = before?.isYes === isYes ? before.running + 1 : 1;
      seen.set(kind, { yesAt: isYes ? askedAt : (before?.yesAt ?? 0), isYes, running });
      await wait(everyMs);
    }
  };
  const asking = Promise.all(probeKinds.map(ask));
  return {
    lastYesAt: (kind) => seen.get(kind)?.yesAt ?? 0,
    settled: async (answer) => {
      const isSettled = () => [...seen.values()].every(({ isYes, running }) => isYes === (answer === 'yes') && running >= timesRunning);
      await Promise.race([
        asking,
        until(isSettled, { withinMs: 15_000, otherwise: () => `Access did not settle: ${JSON.stringify([...seen])}` }),
      ]);
    },
    stop: async () => {
      isStopped = true;
      await asking;
    },
  };
}
