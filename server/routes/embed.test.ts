import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { contentPolicies } from '#server/http/security-headers.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let server: TestServer;
let film: string;
let viewer: Person;

beforeAll(async () => {
  server = await startTestServer();
  film = await addFilm(server.context);
  viewer = await addPerson(server.context, { viewer: true });
});
afterAll(() => server.stop());

test.each(['player', 'insights'] as const)(
  '7.4 the %s frame opens for a video token, tells no referrer and is stored nowhere',
  async (frame) => {
    const answer = await open(frame, await viewer.videoToken(film));
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain(`<title>embed/${frame}</title>`);
    expect(answer.body).toContain('id="page-settings"');
    expect(answer.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'content-security-policy': contentPolicies[frame],
      'cross-origin-resource-policy': 'same-origin',
    });
  },
);

test('a frame without a good token says what to do, and asks the page around it for a fresh one', async () => {
  const refused = await open('player', 'abc');
  expect(refused.statusCode).toBe(401);
  expect(refused.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(refused.headers['set-cookie']).toBeUndefined();
  expect(refused.body).toContain('<script src="/embed/refused.js"></script>');
  const script = await server.app.inject({ url: '/embed/refused.js' });
  expect(script.body).toContain('expired: true');
  const forbidden = await open('player', await server.guestToken());
  expect(forbidden.statusCode).toBe(403);
  expect(forbidden.body).not.toContain('<script');
});

test('a frame that is opened while the database is away says so in words, and opens by itself', async () => {
  const away = Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
  const token = await viewer.videoToken(film);
  for (const method of ['query', 'connect'] as const) vi.spyOn(server.context.pool, method).mockRejectedValue(away);
  onTestFinished(() => void vi.restoreAllMocks());
  const answer = await open('player', token);
  expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
    503,
    'text/html; charset=utf-8',
    'no-store',
  ]);
  expect(answer.body).toContain('The archive is busy or restarting.');
  expect(answer.body).toMatch(/data-opens-again[\s\S]*refused\.js/);
});

test('a film that is not published has no frame', async () => {
  const raw = await addFilm(server.context, { processed: false });
  const answer = await open('player', await viewer.videoToken(raw), raw);
  expect(answer.statusCode).toBe(404);
});

async function open(frame: 'player' | 'insights', token: string, id = film) {
  return await server.app.inject({
    url: `/embed/${frame}/${server.context.config.videoService.accountId}/${id}/?accessToken=${token}&locale=en&location=trial&autoplay=true&t=7`,
  });
}
