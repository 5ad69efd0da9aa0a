import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { type RawAnswer, rawAnswer } from '#testing/raw-request.ts';
import { linkIn, readMail } from '#testing/read-mail.ts';
import { startTestMailbox } from '#testing/test-mailbox.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

const Entry = z.object({ id: z.string(), name: z.string(), headers: z.record(z.string(), z.string()) });
const entries = readCorpus('headers', Entry);

let server: TestServer;
let origin: string;
let person: Person;
let bearer: string;
let segment: { path: string; token: string };
beforeAll(async () => {
  // One address has three tokens an hour or so: whoever is taken for another address gets a fourth.
  // A practice archive refuses most of these headers altogether.
  server = await startTestServer({ RUSHES_PUBLIC_URL: 'http://localhost:4141', RUSHES_TOKENS_PER_MINUTE: '1', RUSHES_TOKEN_BURST: '3' });
  origin = await server.listen();
  person = await addPerson(server.context, { viewer: true });
  bearer = await person.bearer();
  const film = await addFilm(server.context);
  segment = { path: `/media/${film}/hls/v1/segment-00000.m4s`, token: await person.videoToken(film) };
  for (let n = 0; n < 3; n += 1) await ask({ path: tokenPath });
});
afterAll(() => server.stop());

interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
interface Expectation {
  readonly asks: () => Asked;
  readonly holds: (answer: RawAnswer) => void;
}

const tokenPath = '/api/GetVideoIndexerAccountTokenV2';
const page = { path: '/search?query=a' };
const change = (headers: Record<string, string> = {}): Asked => ({
  method: 'POST',
  path: '/api/sign-out',
  headers: { Cookie: person.cookie, 'Content-Type': 'application/json', ...headers },
});
const film = () => ({ path: segment.path, headers: { Authorization: `Bearer ${segment.token}` } });
const status =
  (...allowed: number[]) =>
  (answer: RawAnswer) =>
    expect(allowed).toContain(answer.status);

const sameKey: Expectation = { asks: () => ({ path: tokenPath }), holds: status(429) };
const ownName: Expectation = {
  asks: () => ({ path: '/opensearch.xml' }),
  holds: ({ status: is, body }) => {
    expect([is, body.includes(`${server.context.config.publicUrl}/search?query=`)]).toEqual([200, true]);
    expect(body).not.toMatch(/evil|javascript:/);
  },
};
const sameRobots: Expectation = {
  asks: () => ({ path: '/robots.txt' }),
  holds: ({ status: is, body }) => expect([is, body.includes('User-agent')]).toEqual([200, true]),
};
const foreign: Expectation = {
  asks: () => change(),
  holds: ({ status: is, head }) => expect([is, /access-control-allow/i.test(head)]).toEqual([403, false]),
};
const noJson: Expectation = { asks: () => change({ Origin: origin }), holds: status(415) };
const wholeFilm: Expectation = { asks: film, holds: ({ status: is, body }) => expect([is, body]).toEqual([200, 'abcdefghij']) };
const noRange: Expectation = { asks: film, holds: status(416) };
const noToken: Expectation = { asks: () => ({ path: `${server.account}/Videos/Search` }), holds: status(401) };
const unmoved: Expectation = { asks: () => page, holds: status(200) };

/** What has to become of a request with the headers of that name in the corpus. */
const expectations: Readonly<Record<string, Expectation>> = {
  'host-evil': {
    asks: () => page,
    holds: (answer) => expect([answer.status, /evil/.test(answer.head + answer.body)]).toEqual([400, false]),
  },
  xfh: ownName,
  forwarded: ownName,
  xfp: ownName,
  'xff-spoof': sameKey,
  'xff-many': sameKey,
  'xff-v6-forms': sameKey,
  'x-original-url': sameRobots,
  'x-rewrite-url': sameRobots,
  'method-override': {
    asks: () => ({ path: '/api/session', headers: { Cookie: person.cookie } }),
    holds: ({ status: is, body }) => expect([is, body.includes(person.uid)]).toEqual([200, true]),
  },
  'origin-null': foreign,
  'origin-evil': foreign,
  'origin-suffix': foreign,
  'origin-missing': foreign,
  'sfs-cross': foreign,
  'sfs-same-site': foreign,
  'ctype-text': noJson,
  'ctype-form': noJson,
  'ctype-multipart': noJson,
  'ctype-charset': noJson,
  'accept-xml': {
    asks: () => ({ path: '/api/session' }),
    holds: ({ status: is, head }) => expect([is, /content-type: application\/json/i.test(head)]).toEqual([200, true]),
  },
  'range-multi': {
    asks: film,
    holds: ({ status: is, head }) => {
      expect([200, 206, 416]).toContain(is);
      expect(head).not.toMatch(/multipart/i);
    },
  },
  'range-overlap': { asks: film, holds: status(200, 206, 416) },
  'range-neg': noRange,
  'range-huge': noRange,
  'range-garbage': { asks: film, holds: status(200, 416) },
  'range-unit': wholeFilm,
  'if-range-bad': wholeFilm,
  'ae-weird': unmoved,
  // Never inflated, so never JSON.
  'ce-gzip-bomb': {
    asks: () => ({ ...change({ Origin: origin }), body: gzipSync(Buffer.alloc(2_000_000)).toString('latin1') }),
    holds: status(400, 413, 415),
  },
  'te-cl': { asks: () => page, holds: status(400) },
  expect: { asks: () => page, holds: status(417) },
  'cookie-huge': { asks: () => page, holds: status(431) },
  // The first of two counts, whatever the second is.
  'cookie-dup': {
    asks: () => ({ path: '/api/session' }),
    holds: ({ status: is, body }) => expect([is, JSON.parse(body)]).toEqual([200, { user: null }]),
  },
  'cookie-crlf': unmoved,
  'auth-dup': noToken,
  'auth-basic': noToken,
  'auth-lower': { asks: () => ({ path: '/api/account' }), holds: status(200) },
  'referer-xss': { asks: () => page, holds: ({ status: is, body }) => expect([is, body.includes('__xss')]).toEqual([200, false]) },
  'ua-log4j': { asks: () => page, holds: status(200, 400) },
  traceparent: unmoved,
};

test('every entry of the corpus has an expectation', () => {
  expect(entries.map(({ name }) => name).sort()).toEqual(Object.keys(expectations).sort());
});

test.each(entries)('$id: a request with the headers of $name ends as it should', async ({ name, headers }) => {
  const { asks, holds } = expectations[name] ?? unmoved;
  const asked = asks();
  holds(await ask({ ...asked, headers: { ...asked.headers, ...filled(headers) } }));
});

test('the check can fail: a request without anything of the kind is answered', async () => {
  expect((await ask(change({ Origin: origin }))).status).toBe(200);
  expect((await ask(page)).status).toBe(200);
  person = await addPerson(server.context, { viewer: true });
});

test('no header gets into the link of a mail: it leads to the archive’s own address', async () => {
  const mailbox = await startTestMailbox();
  const open = await startTestServer({ RUSHES_PUBLIC_URL: 'https://archive.example', SMTP_URL: mailbox.url });
  try {
    const order = (email: string, headers: Record<string, string>) =>
      open.app.inject({ method: 'POST', url: '/api/sign-in-links', headers, payload: { email, displayName: 'Ann', returnUrl: '/search' } });
    const refused = await order('refused@people.example', { host: 'evil.example' });
    expect([refused.statusCode, mailbox.mails]).toEqual([400, []]);
    for (const name of ['xfh', 'forwarded', 'xfp', 'origin-missing']) {
      const email = `${name}@people.example`;
      const lies = Object.entries(entries.find((entry) => entry.name === name)?.headers ?? {});
      const headers = Object.fromEntries(lies.map(([key, value]) => [key.toLowerCase(), value]));
      expect((await order(email, { ...headers, host: 'archive.example' })).statusCode).toBe(202);
      const { raw } = await mailbox.lastTo(email);
      expect([name, linkIn(readMail(raw)).origin, raw.includes('evil')]).toEqual([name, 'https://archive.example', false]);
    }
  } finally {
    await open.stop();
    await mailbox.stop();
  }
});

/** The corpus names the session's cookie and what is valid by a word in braces. */
function filled(headers: Record<string, string>): Record<string, string> {
  const fill = (text: string) =>
    text
      .replaceAll('{SESSION}', '__Host-sid')
      .replace('bearer {VALID}', `bearer ${bearer}`)
      .replace('{VALID}', person.cookie.split('=')[1] ?? '');
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
}

function ask({ method = 'GET', path, headers = {}, body = method === 'POST' ? '{}' : '' }: Asked): Promise<RawAnswer> {
  const length: Record<string, string> = body ? { 'Content-Length': String(body.length) } : {};
  const all = Object.entries({ Host: new URL(origin).host, Connection: 'close', 'User-Agent': 'Chrome/156', ...length, ...headers });
  const lines = all.map(([name, value]) => `${name}: ${value}`);
  return rawAnswer(origin, `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`);
}
