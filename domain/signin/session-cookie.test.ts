import { expect, test } from 'vitest';
import { chooseCookieStyle } from './cookie-style.ts';
import { readSessionCookie, writeSessionCookie } from './session-cookie.ts';

const secret = 'a'.repeat(43);
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const safari = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/20.0 Safari/605.1.15';

test.each([
  ['https://archive.example', chrome, true],
  ['https://archive.example', safari, true],
  ['http://localhost:4000', chrome, true],
  ['http://127.0.0.1:4000', chrome, true],
  ['http://[::1]:4000', chrome, true],
  ['http://localhost:4000', safari, false],
  ['http://archive.example', chrome, false],
])('cookies of %s for %s are secure: %s', (origin, userAgent, secure) => {
  const style = chooseCookieStyle(origin, userAgent);
  expect(style).toEqual({ prefix: secure ? '__Host-' : '', secure });
  expect(/; Secure$/.test(writeSessionCookie(style, secret))).toBe(secure);
});

test('on https a cookie without the host prefix, which any neighbour can set, is not read', () => {
  const read = (cookie: string) => readSessionCookie(new Headers({ cookie, 'user-agent': chrome }), 'https://archive.example');
  expect(read(`__Host-sid=${secret}`)).toBe(secret);
  expect(read(`a=b; __Host-sid=${secret}.signature%3D; c=d`)).toBe(secret);
  for (const cookie of [
    '',
    `sid=${secret}`,
    `x__Host-sid=${secret}`,
    '__Host-sid=short',
    `__Host-sid=${secret}a`,
    `__Host-sid=${secret}; __Host-sid=x`.replace(secret, ''),
  ]) {
    expect(read(cookie)).toBeNull();
  }
});
