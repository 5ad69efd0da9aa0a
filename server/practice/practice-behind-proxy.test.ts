import { afterAll, beforeAll, expect, test } from 'vitest';
import { CookieBrowser } from '#testing/cookie-browser.ts';
import { isMissing } from '#testing/find-program.ts';
import { freePort } from '#testing/free-port.ts';
import { rawAnswer } from '#testing/raw-request.ts';
import { startNginx } from '#testing/start-proxy.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let server: TestServer;
let origin: string;
beforeAll(async () => {
  server = await startTestServer();
  // As a browser opens it: by the name that nginx writes as well.
  origin = (await server.listen()).replace('127.0.0.1', 'localhost');
});
afterAll(() => server.stop());

const handsOn = {
  'as nginx does by default': '',
  'in HTTP/1.1': 'proxy_http_version 1.1;',
  'with the header X-Forwarded-For': 'proxy_http_version 1.1; proxy_set_header X-Forwarded-For $remote_addr;',
  'with the header X-Forwarded-Proto': 'proxy_http_version 1.1; proxy_set_header X-Forwarded-Proto $scheme;',
  'with the header Forwarded': 'proxy_http_version 1.1; proxy_set_header Forwarded for=$remote_addr;',
  'with the header Via': 'proxy_http_version 1.1; proxy_set_header Via nginx;',
  'with the header X-Real-IP': 'proxy_http_version 1.1; proxy_set_header X-Real-IP $remote_addr;',
};

test.for(Object.entries(handsOn))(
  'behind an nginx that writes another host and hands on %s nobody becomes anybody',
  async ([how, lines], { skip }) => {
    const port = await freePort();
    const proxy = await startNginx(() => `server { listen 127.0.0.1:${port}; location / { ${lines} proxy_pass ${origin}; } }`, port);
    if (!proxy) return skip(isMissing('nginx'));
    try {
      const stranger = new CookieBrowser(`http://127.0.0.1:${port}`);
      expect(await strangersWayIn(stranger)).toEqual([403, null]);
      expect(await strangersLink(`http://127.0.0.1:${port}`)).toBe(403);
      // Only what nginx leaves no trace in comes as far as the door.
      if (how !== 'in HTTP/1.1') expect((await stranger.request('/api/session')).status).toBe(403);
    } finally {
      await proxy.stop();
    }
  },
);

test('nothing changes for somebody on this machine, by whichever of its names', async () => {
  for (const name of ['localhost', '127.0.0.1']) {
    const browser = new CookieBrowser(origin.replace('localhost', name));
    expect((await browser.signIn('google', 'admin')).status).toBe(200);
    expect((await browser.user())?.displayName).toBe('Ada Admin');
  }
});

test.each([
  ['none', undefined],
  ['that of another site', 'http://archive.example'],
  ['one of a sandbox', 'null'],
  ['another of this machine’s names', 'http://127.0.0.1'],
  ['the same without the port', 'http://localhost'],
  ['https', 'https://localhost'],
])('a choice whose Origin is %s lets nobody in', async (_which, given) => {
  const browser = new CookieBrowser(origin);
  const page = await browser.open('/sign-in/popup-start?provider=google');
  const own = given === 'http://127.0.0.1' ? origin.replace('localhost', '127.0.0.1') : given;
  expect(await choiceFrom(page.url, own, browser)).toBe(403);
  expect(await browser.user()).toBeNull();
});

test('health checks of a proxy are refused as all else is', async () => {
  const answer = await rawAnswer(origin, `GET /healthz HTTP/1.0\r\nHost: ${new URL(origin).host}\r\n\r\n`);
  expect([answer.status, answer.body.includes('RUSHES_PUBLIC_URL')]).toEqual([403, true]);
});

/** Signs in as a script would that follows every redirect to the address it came by; the status of the choice, and who it is then. */
async function strangersWayIn(stranger: CookieBrowser): Promise<[number, unknown]> {
  const page = await follow(stranger, '/sign-in/popup-start?provider=google');
  const { status } = await stranger.submit(page, 'admin');
  return [status, await whoIs(stranger)];
}

/** The same by a link, out of the practice mailbox. */
async function strangersLink(address: string): Promise<number> {
  const email = 'ada@practice.example';
  const headers = { 'content-type': 'application/json', origin };
  await server.app.inject({
    method: 'POST',
    url: '/api/sign-in-links',
    headers: { ...headers, host: new URL(origin).host },
    payload: { email, displayName: 'Ada' },
  });
  const token = /token=([\w-]+)/.exec(server.context.mailbox?.list()[0]?.text ?? '')?.[1] ?? '';
  expect(token).not.toBe('');
  const body = JSON.stringify({ token, email });
  const head = ['POST /api/sign-in-link HTTP/1.1', `Host: ${new URL(address).host}`, 'Connection: close', 'Content-Type: application/json'];
  // No browser's, so that it need not say where it comes from.
  const { status } = await rawAnswer(address, `${[...head, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`);
  return status;
}

async function whoIs(stranger: CookieBrowser): Promise<unknown> {
  const session = await stranger.request('/api/session');
  return session.ok ? ((await session.json()) as { user: unknown }).user : null;
}

/** A page, its redirects followed as nginx hands them out: to where the stranger is. */
async function follow(stranger: CookieBrowser, address: string): Promise<Response> {
  const response = await stranger.request(address);
  const location = response.headers.get('location');
  if (!location) return response;
  const { pathname, search } = new URL(location, origin);
  return await follow(stranger, pathname + search);
}

async function choiceFrom(address: string, given: string | undefined, browser: CookieBrowser): Promise<number> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { host, pathname } = new URL(address);
  const lines = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    `Cookie: ${cookie}`,
    'Sec-Fetch-Site: same-origin',
    ...(given === undefined ? [] : [`Origin: ${given}`]),
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Length: 12',
  ];
  return (await rawAnswer(origin, `${lines.join('\r\n')}\r\n\r\nperson=admin`)).status;
}
